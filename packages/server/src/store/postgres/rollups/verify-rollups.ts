import { firstRetainedDay } from '../../../domain/telemetry/rollup/invalidation.ts'
import { findWrongRollups } from '../../../domain/telemetry/rollup/verify-rollups.ts'
import type { RollupStore } from '../../../domain/telemetry/rollup/store.ts'
import { describeDamage, DamagedData } from '../../damage.ts'
import type { DamagedRow, VerifyProgress } from '../../store.ts'
import type { Database } from '../pool/connect.ts'
import { createReadingReader } from '../readings/read-readings.ts'
import { rebuildRollup } from './rebuild-rollup.ts'
import type { DamagedRollup } from './checksummed-cells.ts'
import { postgresRollups } from './rollups.ts'
import type { LoadSeriesIndex } from './series-index.ts'
import { siteState } from './site-state.ts'
import { readingRanges } from '../readings/stored-readings.ts'

/**
 * Verifies the checksum of every rollup, and that it matches its readings. Incorrect ones are queued to be rolled up
 * again.
 */
export async function verifyRollups(
  db: Database,
  indexes: LoadSeriesIndex,
  progress: VerifyProgress,
): Promise<string[]> {
  const found = new Map<string, DamagedRow>()
  const sites = await db.read((sql) => sql<{ siteUuid: string }[]>`SELECT site_uuid AS "siteUuid" FROM sites`)
  for (const { siteUuid } of sites) {
    const { index, state, ranges } = await db.read(async (sql) => ({
      index: await indexes(sql, siteUuid),
      state: await siteState(sql, siteUuid),
      ranges: [...(await readingRanges(sql, siteUuid)).values()],
    }))
    if (!index || !state || ranges.length === 0) continue
    const repair = async (row: DamagedRollup): Promise<void> => {
      found.set(describeDamage(row), row)
      await rebuildRollup(db, indexes, siteUuid, row)
    }
    const damaged: DamagedRollup[] = []
    const source = {
      siteUuid,
      days: index.days,
      readings: createReadingReader((run) => db.read(run)),
      rollups: postgresRollups(
        (run) => db.read(run),
        (_siteUuid, row) => void damaged.push(row),
      ),
    }
    const from = Math.max(
      firstRetainedDay(index.days, state.immutableBefore),
      index.days.dayAt(Math.min(...ranges.map((range) => range.from))),
    )
    const to = index.days.dayAt(state.rollupWatermark) - 1
    const all = [...index.devices.keys(), ...index.spaces.keys()]
    for (const [place, seriesId] of all.entries()) {
      progress('rollups', place / all.length)
      await readEveryRow(source.rollups, siteUuid, seriesId)
      for (const { day, reason } of await findWrongRollups(source, index, seriesId, { from, to }))
        damaged.push({ table: 'rollup_days', seriesId, number: day, reason })
    }
    for (const row of damaged) await repair(row)
  }
  return [...found.keys()]
}

const ANY_NUMBER = 2 ** 31 - 1

/** Reading a row verifies it. A damaged row that cannot be rebuilt ends the reading of its table. */
async function readEveryRow(rollups: RollupStore, siteUuid: string, seriesId: number): Promise<void> {
  for (const read of [rollups.days, rollups.months, rollups.quarters]) {
    try {
      await read(siteUuid, seriesId, -ANY_NUMBER, ANY_NUMBER)
    } catch (error) {
      if (!(error instanceof DamagedData)) throw error
    }
  }
}
