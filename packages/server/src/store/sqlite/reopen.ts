import type { DatabaseSync } from 'node:sqlite'
import type { DeviceSeries, SeriesIndex } from '../../aggregate/series-index.ts'
import { hasNeighbours, touchedDays } from '../../aggregate/touched.ts'
import type { Span } from '../../reading/window-value.ts'
import { forEachSeries, type JournalBatch } from './journal-batch.ts'
import { journalOf } from './journal.ts'
import { reopenDays, sealedBefore } from './sealed-days.ts'
import { seriesIndexOf } from './series-index.ts'
import { markStale } from './stale-days.ts'
import { touchedSpans } from './touched-days.ts'

/** The days that this connection has marked already, by series: an import would mark the same ones a thousand times. */
const marked = new WeakMap<DatabaseSync, Map<number, { from: number; to: number }>>()

export const markedOf = (db: DatabaseSync): Map<number, { from: number; to: number }> => {
  let known = marked.get(db)
  if (!known) marked.set(db, (known = new Map()))
  return known
}

/** Takes away the rollups that new readings make untrue, and marks the days they fall in to be rolled up. */
export function noteChanges(db: DatabaseSync, siteUuid: string, changes: JournalBatch, now: number): void {
  const index = changes.heads.length > 0 ? seriesIndexOf(db, siteUuid) : undefined
  if (!index) return
  const before = sealedBefore(db, siteUuid)
  const today = index.days.numberAt(now)
  const { timestamps } = changes
  forEachSeries(changes, (seriesId, from, to) => {
    const series = index.devices.get(seriesId)
    if (!series) return
    const span = { from: timestamps[from] ?? 0, to: timestamps[to - 1] ?? 0 }
    if (!isNoted(db, index, series, span, before, today))
      noteSeries(db, index, series, timestamps.subarray(from, to), before, today, now)
  })
}

/** The usual case, told from memory: the reading before is known, newer than any rollup, and its days are marked or open. */
function isNoted(
  db: DatabaseSync,
  { days }: SeriesIndex,
  { seriesId, spec }: DeviceSeries,
  { from: first, to: last }: Span,
  before: number,
  today: number,
): boolean {
  // Of a gauge a reading changes the window it is in, and no other.
  const previous = hasNeighbours(spec) ? journalOf(db).index.before(seriesId, first) : first
  if (previous < before || !Number.isFinite(previous)) return false
  const from = days.numberAt(previous)
  if (from >= today) return true
  const known = markedOf(db).get(seriesId)
  return known !== undefined && known.from <= from && known.to >= days.numberAt(last)
}

function noteSeries(
  db: DatabaseSync,
  index: SeriesIndex,
  { seriesId, spec, spaceSeries }: DeviceSeries,
  timestamps: Iterable<number>,
  before: number,
  today: number,
  now: number,
): void {
  for (const span of touchedSpans(db, seriesId, spec, timestamps)) {
    const { device, space } = touchedDays(index.days, span, journalOf(db).droppedBefore())
    const { from, to } = device
    if (span.from < before) {
      reopenDays(db, seriesId, device.untrueFrom, to)
      for (const touched of spaceSeries) reopenDays(db, touched, space.untrueFrom, to)
    }
    if (from >= today) continue
    markStale(db, { seriesId, from, to, markedAt: now, dueAt: index.days.startOf(from + 1) })
    markedOf(db).set(seriesId, { from, to })
  }
}
