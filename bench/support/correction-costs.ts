import { join } from 'node:path'
import { SERVER } from '@portico/server/domain/identity/audit'
import { fromWireInventory } from '@portico/server/operator/operator'
import { openSqliteStore } from '@portico/server/store/sqlite/store'
import type { Store } from '@portico/server/store/store'
import { atMost, type Row } from '../benchmark.ts'
import { median, toRatio } from './ratio.ts'
import { DAY_MS, generateValues, makeResidence, METRICS, STEP_MS } from './residence.ts'
import { withTempFolder } from './temp-folder.ts'
import { toReadingBatch } from '@portico/server/domain/telemetry/reading/batch'

const STEPS_A_DAY = DAY_MS / STEP_MS

/** A store whose site has closed its days up to an instant, if any. */
interface Site {
  store: Store
  siteUuid: string
  /** Values of each series, by its id. */
  values: Map<number, Float64Array>
  /** Processor time of each round, in microseconds. */
  costs: number[]
}

/** What `day.closed` and `data.corrected` add to the storing of readings: in open days, and late, in closed days. */
export async function measureCorrectionCosts(isSmoke: boolean): Promise<Row[]> {
  const [rooms, rounds] = isSmoke ? [2, 1] : [50, 10]
  const start = Math.floor(Date.now() / DAY_MS) * DAY_MS - (rounds + 3) * DAY_MS
  const end = start + (rounds + 1) * DAY_MS
  const steps = (rounds + 2) * STEPS_A_DAY
  return withTempFolder(async (folder) => {
    const open = (name: string, closedBefore: number): Promise<Site> =>
      openSite(join(folder, `${name}.db`), rooms, steps, closedBefore)
    const live = { without: await open('live', 0), with: await open('live-closed', start) }
    const late = { without: await open('late', 0), with: await open('late-closed', end) }
    // Readings are late if there are newer ones, which have been rolled up.
    for (const site of Object.values(late)) await storeDay(site, end, steps - STEPS_A_DAY)
    const sites = [...Object.values(live), ...Object.values(late)]
    for (const { costs } of sites) costs.length = 0
    try {
      for (let round = 0; round <= rounds; round += 1)
        for (const [index] of sites.entries()) {
          // In turns, each as often the first: other load on the machine affects all alike.
          const site = sites[(index + round) % sites.length]
          if (site) await storeDay(site, start + round * DAY_MS, round * STEPS_A_DAY)
        }
      return [toRow('in open days', live), toRow('late, in closed days', late)]
    } finally {
      for (const { store } of sites) await store.close()
    }
  })
}

async function openSite(path: string, rooms: number, count: number, closedBefore: number): Promise<Site> {
  const store = openSqliteStore(path)
  await store.migrate()
  const { siteUuid, document, meterUuids, sensorUuids } = makeResidence(rooms)
  const entry = { at: Date.now(), actor: SERVER, action: 'inventory.applied', target: siteUuid, detail: {} }
  await store.inventory.apply(siteUuid, fromWireInventory(document), entry)
  const roomByDevice = new Map(
    [...meterUuids.entries(), ...sensorUuids.entries()].map(([room, uuid]) => [uuid, room]),
  )
  const values = new Map<number, Float64Array>()
  for (const { record, series } of (await store.inventory.load(siteUuid))?.devices ?? [])
    for (const metric of METRICS) {
      const seriesId = series[metric]
      const room = roomByDevice.get(record.deviceUuid)
      if (seriesId !== undefined && room !== undefined)
        values.set(seriesId, generateValues(metric, room, count))
    }
  if (closedBefore > 0)
    await store.closedDays.close(siteUuid, { expected: 0, closedBefore, event: undefined })
  return { store, siteUuid, values, costs: [] }
}

/** Stores a day of readings, all series at one instant and then at the next, with the maintenance that follows. */
async function storeDay(
  { store, siteUuid, values, costs }: Site,
  from: number,
  first: number,
): Promise<void> {
  const used = process.cpuUsage()
  for (let step = 0; step < STEPS_A_DAY; step += 1)
    await store.readings.add(
      siteUuid,
      toReadingBatch(
        [...values].map(([seriesId, all]) => ({
          seriesId,
          timestamps: [from + step * STEP_MS],
          values: [...all.subarray(first + step, first + step + 1)],
        })),
      ),
    )
  await store.runMaintenance()
  const { user, system } = process.cpuUsage(used)
  costs.push(user + system)
}

function toRow(which: string, sites: { without: Site; with: Site }): Row {
  // The first round compiles code and fills caches.
  const [above, below] = [sites.with, sites.without].map(({ costs }) =>
    costs.slice(costs.length > 1 ? 1 : 0),
  ) as [number[], number[]]
  const { value, precision } = toRatio(above, below)
  const ms = (costs: readonly number[]): string => `${(median(costs) / 1_000).toFixed(0)} ms`
  const readings = (sites.with.values.size * STEPS_A_DAY).toLocaleString('en')
  return {
    label: `Processor time of readings ${which}, relative to a site that has closed none`,
    value: `${value.toPrecision(3)} x ± ${(precision * 100).toFixed(0)} %`,
    ...atMost(1.15, value, ' x'),
    detail: `${readings} readings with their maintenance: ${ms(above)}, and ${ms(below)} without`,
  }
}
