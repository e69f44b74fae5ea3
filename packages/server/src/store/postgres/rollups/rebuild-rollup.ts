import type { SeriesIndex } from '../../../domain/telemetry/rollup/series-index.ts'
import { firstDayOfMonth } from '../../../calendar/local-day.ts'
import { utcDayNumber } from '../../../domain/telemetry/reading/packed-day.ts'
import { systemClock } from '../../../kernel/clock.ts'
import { describeDamage } from '../../damage.ts'
import type { Database, Sql } from '../pool/connect.ts'
import type { DamagedRollup } from './checksummed-cells.ts'
import { deleteRollups, raiseRollupVersions } from './rollup-rows.ts'
import type { LoadSeriesIndex } from './series-index.ts'
import { lockSiteShared, lockSiteExclusive, type SiteState } from './site-state.ts'
import { enqueue, type QueuedDays } from './rollup-queue.ts'

const DAYS_OF_A_MONTH = 31

/** Rebuilds that run or wait at the same time. Beyond it a row is rebuilt when it is next read. */
const MAX_REBUILDS = 64

/** Whether all readings that the row was computed from are still stored. */
export function canRebuild(state: SiteState | undefined, { table, number }: DamagedRollup): boolean {
  if (table === 'rollup_quarter_hours') return false
  const immutableBefore = state?.immutableBefore ?? 0
  const first = table === 'rollup_months' ? firstDayOfMonth(number) : number
  // A local day starts up to a day before or after the UTC day with its number.
  return immutableBefore === 0 || first > utcDayNumber(immutableBefore) + 2
}

/**
 * The closed days of a row, as a list of one range or none: live readings do not invalidate a rollup of an open day.
 */
function closedDays(
  index: SeriesIndex,
  state: SiteState,
  { table, seriesId, number }: DamagedRollup,
): QueuedDays[] {
  const isMonth = table === 'rollup_months'
  const from = isMonth ? firstDayOfMonth(number) : number
  const last = isMonth ? from + DAYS_OF_A_MONTH - 1 : number
  const to = Math.min(last, index.days.dayAt(state.rollupWatermark) - 1)
  return from <= to ? [{ seriesId, from, to }] : []
}

/** Deletes a damaged row and enqueues its days: until they are rolled up again, they are computed from the readings. */
export const rebuildRollup = (
  db: Database,
  indexes: LoadSeriesIndex,
  siteUuid: string,
  row: DamagedRollup,
): Promise<void> =>
  db.write(async (sql) => {
    // The lock prevents other transactions from closing days or deleting readings meanwhile.
    const state = await lockSiteExclusive(sql, siteUuid)
    const index = await indexes(sql, siteUuid)
    // Without its readings, a day cannot be recomputed: the row is kept.
    if (!state || !index || !canRebuild(state, row)) return
    if (row.table === 'rollup_months')
      await sql`
        DELETE FROM rollup_months
        WHERE site_uuid = ${siteUuid} AND series_id = ${row.seriesId} AND month = ${row.number}`
    const invalid = closedDays(index, state, row).map((days) => ({ ...days, invalidFrom: days.from }))
    await deleteRollups(sql, siteUuid, invalid, systemClock.now())
    if (invalid.length === 0) await raiseRollupVersions(sql, siteUuid, [row.seriesId])
  })

/** Deletes damaged months, including rows that the calling transaction has written, and enqueues all of their days. */
export async function rebuildMonths(
  sql: Sql,
  siteUuid: string,
  index: SeriesIndex,
  damaged: readonly DamagedRollup[],
): Promise<void> {
  if (damaged.length === 0) return
  // The lock prevents other transactions from deleting readings meanwhile.
  const state = await lockSiteShared(sql, siteUuid)
  const months = damaged.filter((row) => canRebuild(state, row))
  if (!state || months.length === 0) return
  await sql`
    DELETE FROM rollup_months
    USING unnest(${months.map(({ seriesId }) => seriesId)}::bigint[],
      ${months.map(({ number }) => number)}::integer[]) AS given (series_id, month)
    WHERE site_uuid = ${siteUuid} AND rollup_months.series_id = given.series_id
      AND rollup_months.month = given.month`
  await raiseRollupVersions(
    sql,
    siteUuid,
    months.map(({ seriesId }) => seriesId),
  )
  const dueAt = systemClock.now()
  const days = months.flatMap((row) => closedDays(index, state, row))
  await enqueue(
    sql,
    siteUuid,
    days.map((range) => ({ ...range, dueAt })),
  )
}

/** Starts rebuilds in the background, one at a time for each row however many reads find it damaged. */
export function createRebuilds(
  db: Database,
  indexes: LoadSeriesIndex,
): (siteUuid: string, row: DamagedRollup) => void {
  const running = new Set<string>()
  return (siteUuid, row) => {
    const name = describeDamage(row)
    if (running.has(name) || running.size >= MAX_REBUILDS) return
    running.add(name)
    // A rebuild that fails is tried again when the row is next read.
    void rebuildRollup(db, indexes, siteUuid, row)
      .catch(() => {})
      .finally(() => running.delete(name))
  }
}
