import { openPostgresStore } from '@portico/server/store/postgres/store'
import type postgres from 'postgres'
import type { PostgresCluster } from '../../../acceptance/support/servers/postgres.ts'
import { atLeast, type Row } from '../../benchmark.ts'
import { median, toRatio } from '../../support/ratio.ts'
import { formatRatio } from '../../support/format.ts'
import { readCpuSeconds } from '../../support/usage.ts'
import { copyIn, makeBareTable, toCopyText } from './bare-table.ts'
import { connected, makeDatabase } from './database.ts'
import { makeDeliveries } from './deliveries.ts'
import { toReadingBatch } from '@portico/server/domain/telemetry/reading/batch'

/** How many readings were stored, by round. */
interface StoreTiming {
  perSecond: number[]
  perCpuSecond: number[]
}

/** Readings through the store, relative to COPY of the same readings into a bare table. */
export async function overCopy(cluster: PostgresCluster, isSmoke: boolean): Promise<Row[]> {
  const [rooms, days, rounds] = isSmoke ? [5, 1, 1] : [500, 2, 5]
  const url = await makeDatabase(cluster, 'ingest')
  const store = openPostgresStore(url)
  const own: StoreTiming = { perSecond: [], perCpuSecond: [] }
  const bare: StoreTiming = { perSecond: [], perCpuSecond: [] }
  try {
    await store.migrate()
    return await connected(url, async (sql) => {
      // A warm-up round: it creates the partitions that the bare table needs too.
      for (let round = 0; round <= rounds; round += 1) {
        const { siteUuid, deliveries, count } = await makeDeliveries(store, rooms, days)
        const texts = deliveries.map((batch) => toCopyText(siteUuid, batch))
        const stored = await measured(cluster, sql, count, async () => {
          for (const batch of deliveries) await store.readings.add(siteUuid, toReadingBatch(batch))
          await store.runMaintenance()
        })
        if (round === 0) await makeBareTable(sql)
        const copied = await measured(cluster, sql, count, async () => {
          for (const text of texts) await copyIn(sql, text)
        })
        if (round > 0) {
          note(own, stored)
          note(bare, copied)
        }
      }
      await isAllThere(sql)
      return [
        row('per second', 'perSecond', own, bare),
        row('per second of processor time', 'perCpuSecond', own, bare),
      ]
    })
  } finally {
    await store.close()
  }
}

type TimeSpent = Record<keyof StoreTiming, number>

async function measured(
  { pid }: PostgresCluster,
  sql: postgres.Sql,
  count: number,
  work: () => Promise<void>,
): Promise<TimeSpent> {
  // Pending writes of the previous contender must not count for this one.
  await sql`CHECKPOINT`
  const cpuSeconds = (): number => {
    const { user, system } = process.cpuUsage()
    return readCpuSeconds(pid()) + (user + system) / 1e6
  }
  const [before, start] = [cpuSeconds(), performance.now()]
  await work()
  const took = (performance.now() - start) / 1000
  return { perSecond: count / took, perCpuSecond: count / (cpuSeconds() - before) }
}

function note(stored: StoreTiming, { perSecond, perCpuSecond }: TimeSpent): void {
  stored.perSecond.push(perSecond)
  stored.perCpuSecond.push(perCpuSecond)
}

function row(unit: string, figure: keyof StoreTiming, own: StoreTiming, bare: StoreTiming): Row {
  const ratio = toRatio(own[figure], bare[figure])
  const thousands = (values: readonly number[]): string => `${Math.round(median(values) / 1000)} thousand`
  return {
    label: `readings stored and rolled up ${unit}, over COPY into a plain table`,
    value: formatRatio(ratio),
    ...atLeast(0.5, ratio.value),
    detail: `Portico ${thousands(own[figure])}; COPY ${thousands(bare[figure])}`,
  }
}

/** The driver does not report a failed COPY, and missing rollups would make the store look faster. */
async function isAllThere(sql: postgres.Sql): Promise<void> {
  const [found] = await sql<{ stored: string; copied: string; rolledUp: string }[]>`
    SELECT (SELECT count(*) FROM readings) AS stored, (SELECT count(*) FROM bare) AS copied,
      (SELECT count(DISTINCT series_id) FROM rollup_days) AS "rolledUp"`
  if (!found || found.stored !== found.copied || found.rolledUp === '0')
    throw new Error(`there is nothing to compare: ${JSON.stringify(found)}`)
}
