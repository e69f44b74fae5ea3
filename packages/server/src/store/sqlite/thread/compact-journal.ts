import type { DatabaseSync } from 'node:sqlite'
import { numberAt } from '../../../kernel/at.ts'
import { getJournal } from '../journal/journal.ts'
import { packReadings } from '../journal/reading-days.ts'
import { getSeriesIndex, siteOfSeries } from '../rollups/series-index.ts'
import { enqueue } from './rollup-queue.ts'

/** So many unpacked readings are kept in memory, in each thread that reads or writes them. */
export const MAX_JOURNAL_READINGS = 500_000
const SERIES_IN_A_SLICE = 200

/** Moves the journal into the packed days, some series at a time; then what was moved goes from the journal. */
export interface Compaction {
  /** Does some of it; answers whether there is more. Runs inside a transaction. */
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
        // What has arrived meanwhile is packed too, and again next time: the newest value stays either way.
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

/** A device that falls silent has no later reading to mark its last day. */
function markPacked(db: DatabaseSync, seriesId: number, timestamps: readonly number[], now: number): void {
  const siteUuid = siteOfSeries(db, seriesId)
  const index = siteUuid === undefined ? undefined : getSeriesIndex(db, siteUuid)
  if (!index?.devices.has(seriesId)) return
  const from = index.days.dayAt(numberAt(timestamps, 0))
  const to = index.days.dayAt(numberAt(timestamps, timestamps.length - 1))
  enqueue(db, { seriesId, from, to, enqueuedAt: now, dueAt: index.days.startOfDay(from + 1) })
}
