import type { DatabaseSync } from 'node:sqlite'
import { numberAt } from '../../../kernel/at.ts'
import { getJournal } from '../journal/journal.ts'
import { packReadings } from '../journal/reading-days.ts'
import { getSeriesIndex, siteOfSeries } from '../rollups/series-index.ts'
import { enqueue } from './rollup-queue.ts'

/** Readings in the journal, which each thread that reads or writes holds in memory. */
export const MAX_JOURNAL_READINGS = 500_000
const SERIES_IN_A_SLICE = 200

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
        markPacked(db, seriesId, readings.timestamps, now)
      }
      if (left.length > 0) return true
      journal.dropThrough(through)
      return false
    },
  }
}

/** The last day of a device that stops reporting has no later reading that would enqueue it. */
function markPacked(db: DatabaseSync, seriesId: number, timestamps: readonly number[], now: number): void {
  const siteUuid = siteOfSeries(db, seriesId)
  const index = siteUuid === undefined ? undefined : getSeriesIndex(db, siteUuid)
  if (!index?.devices.has(seriesId)) return
  const from = index.days.dayAt(numberAt(timestamps, 0))
  const to = index.days.dayAt(numberAt(timestamps, timestamps.length - 1))
  enqueue(db, { seriesId, from, to, enqueuedAt: now, dueAt: index.days.startOfDay(from + 1) })
}
