import type { DatabaseSync } from 'node:sqlite'
import { affectedSpan, type Neighbours } from '../../../domain/telemetry/rollup/invalidation.ts'
import { numberAt } from '../../../kernel/at.ts'
import { getJournal } from '../journal/journal.ts'
import { packReadings } from '../journal/reading-days.ts'
import { getSeriesIndex, siteOfSeries } from '../rollups/series-index.ts'
import { enqueue } from './rollup-queue.ts'

/** Readings in the journal, which each thread that reads or writes holds in memory. */
export const MAX_JOURNAL_READINGS = 500_000
const SERIES_IN_A_SLICE = 200
const NO_NEIGHBOURS: Neighbours = { before: undefined, after: undefined }

/** Moves the journal into packed days, some series at a time, then deletes the moved batches. */
export interface Compaction {
  /** Does a part of the work; returns whether there is more. Runs inside a transaction. */
  step(now: number): boolean
}

export function startCompaction(db: DatabaseSync): Compaction {
  const journal = getJournal(db)
  const left = journal.hot().series()
  const through = journal.lastSequence()
  return {
    step(now) {
      const hot = journal.hot()
      for (const seriesId of left.splice(0, SERIES_IN_A_SLICE)) {
        // Batches that arrived meanwhile are compacted now and again next time: the newest value wins in either case.
        const readings = hot.of(seriesId)
        if (!readings) continue
        packReadings(db, seriesId, readings)
        enqueuePacked(db, seriesId, readings.timestamps, now)
      }
      if (left.length > 0) return true
      journal.dropThrough(through)
      return false
    },
  }
}

/**
 * Enqueues the days of packed readings, and those into which the last one is valid: for a device that stops reporting, no
 * later reading does.
 */
export function enqueuePacked(
  db: DatabaseSync,
  seriesId: number,
  timestamps: ArrayLike<number>,
  now: number,
): void {
  const siteUuid = siteOfSeries(db, seriesId)
  const index = siteUuid === undefined ? undefined : getSeriesIndex(db, siteUuid)
  const series = index?.devices.get(seriesId)
  if (!index || !series) return
  const run = { from: numberAt(timestamps, 0), to: numberAt(timestamps, timestamps.length - 1) }
  const from = index.days.dayAt(run.from)
  const to = index.days.dayAt(affectedSpan(series.spec, run, NO_NEIGHBOURS).to)
  enqueue(db, { seriesId, from, to, enqueuedAt: now, dueAt: index.days.startOfDay(from + 1) })
}
