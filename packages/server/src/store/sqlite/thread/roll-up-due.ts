import type { DatabaseSync } from 'node:sqlite'
import type { CellSource } from '../../../domain/telemetry/rollup/cells.ts'
import { rollUp } from '../../../domain/telemetry/rollup/roll-up.ts'
import type { SeriesIndex } from '../../../domain/telemetry/rollup/series-index.ts'
import { prepareOnce } from '../connect.ts'
import { DamagedData } from '../../damage.ts'
import { getJournal } from '../journal/journal.ts'
import { getLatestCompacted } from '../journal/latest-readings.ts'
import { repairWrites } from './repair.ts'
import { sqliteRollups } from '../rollups/rollups.ts'
import { getStoredChanges } from './stored-changes.ts'
import { advanceRollupWatermark, putRollups } from './rollup-rows.ts'
import { getSeriesIndex, siteOfSeries } from '../rollups/series-index.ts'
import { enqueue, type QueuedDays, dequeue } from './rollup-queue.ts'
import { storedReadings } from '../journal/stored-readings.ts'

/** Days of one series per slice. */
const DAYS_IN_A_SLICE = 64
/**
 * The last day of a series without later readings is rolled up later: the reading that completes it may still arrive.
 */
const PATIENCE_MS = 10 * 60_000

/** Rolls up some of the days of an entry that is due. Runs inside a transaction. */
export async function rollUpDue(db: DatabaseSync, mark: QueuedDays, now: number): Promise<void> {
  dequeue(db, mark)
  const siteUuid = siteOfSeries(db, mark.seriesId)
  const index = siteUuid === undefined ? undefined : getSeriesIndex(db, siteUuid)
  if (!index || siteUuid === undefined) return
  const closed = index.days.dayAt(now) - 1
  const changedAt = Math.max(mark.enqueuedAt, getStoredChanges(db).get(mark.seriesId)?.changedAt ?? 0)
  const patientUntil = changedAt + PATIENCE_MS
  const complete = patientUntil > now ? completeThrough(db, index, mark.seriesId) : closed
  const last = Math.min(mark.to, closed, complete)
  const upTo = Math.min(last, mark.from + DAYS_IN_A_SLICE - 1)
  if (upTo >= mark.from) await rollUpUndamaged(db, siteUuid, index, mark, upTo, now)
  const rest = Math.max(mark.from, upTo + 1)
  keepStoredFrom(db, mark.seriesId, index.days.startOfDay(rest))
  if (rest > mark.to) return
  const dueAt = rest <= last ? now : rest <= closed ? patientUntil : index.days.startOfDay(rest + 1)
  enqueue(db, { ...mark, from: rest, enqueuedAt: changedAt, dueAt })
}

/** The days from `from` on are still enqueued: further readings of these days need no entry. */
function keepStoredFrom(db: DatabaseSync, seriesId: number, from: number): void {
  const known = getStoredChanges(db)
  const stored = known.get(seriesId)
  if (!stored) return
  if (stored.before > from) stored.from = Math.max(stored.from, from)
  else known.delete(seriesId)
}

/** Makes all entries due, without the delay of last days. */
export function makeAllDue(db: DatabaseSync, now: number): void {
  getStoredChanges(db).clear()
  prepareOnce(db, 'UPDATE rollup_queue SET due_at = min(due_at, ?), enqueued_at = 0').run(now)
}

/** The last day of a device's series that has later readings; no limit for a space. */
function completeThrough(db: DatabaseSync, index: SeriesIndex, seriesId: number): number {
  if (!index.devices.has(seriesId)) return Number.POSITIVE_INFINITY
  const latest = Math.max(getJournal(db).hot().newestAt(seriesId), getLatestCompacted(db, seriesId))
  return Number.isFinite(latest) ? index.days.dayAt(latest) - 1 : Number.POSITIVE_INFINITY
}

/** Days with lost readings stay open; the other days of the slice are rolled up one at a time. */
async function rollUpUndamaged(
  db: DatabaseSync,
  siteUuid: string,
  index: SeriesIndex,
  mark: QueuedDays,
  upTo: number,
  now: number,
): Promise<void> {
  try {
    await rollUpRange(db, siteUuid, index, mark, upTo, now)
  } catch (error) {
    if (!(error instanceof DamagedData)) throw error
    if (error.row) repairWrites.repairDamage(db, error.row)
    if (mark.from === upTo) return
    for (let day = mark.from; day <= upTo; day += 1)
      await rollUpUndamaged(db, siteUuid, index, { ...mark, from: day }, day, now)
  }
}

async function rollUpRange(
  db: DatabaseSync,
  siteUuid: string,
  index: SeriesIndex,
  mark: QueuedDays,
  upTo: number,
  now: number,
): Promise<void> {
  const source: CellSource = {
    siteUuid,
    days: index.days,
    readings: storedReadings(db),
    rollups: sqliteRollups(() => db),
  }
  const rows = await rollUp(source, index, mark.seriesId, { from: mark.from, to: upTo })
  putRollups(db, mark.seriesId, rows)
  if (rows.hadOpenDays) {
    for (const seriesId of index.devices.get(mark.seriesId)?.pooledSeries ?? [])
      enqueue(db, { seriesId, from: mark.from, to: upTo, enqueuedAt: now, dueAt: now })
  }
  advanceRollupWatermark(db, siteUuid, index.days.startOfDay(upTo + 1))
}
