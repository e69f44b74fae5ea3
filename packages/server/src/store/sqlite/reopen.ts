import type { DatabaseSync } from 'node:sqlite'
import type { DeviceSeries, SeriesIndex } from '../../aggregate/series-index.ts'
import { touchedDays } from '../../aggregate/touched.ts'
import { firstAfter } from '../../reading/delta.ts'
import type { JournalSeries } from './journal-batch.ts'
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
export function noteChanges(
  db: DatabaseSync,
  siteUuid: string,
  changes: readonly JournalSeries[],
  now: number,
): void {
  const index = changes.length > 0 ? seriesIndexOf(db, siteUuid) : undefined
  if (!index) return
  const before = sealedBefore(db, siteUuid)
  const today = index.days.numberAt(now)
  for (const { seriesId, timestamps } of changes) {
    const series = index.devices.get(seriesId)
    if (series && !isNoted(db, index, series, timestamps, before, today))
      noteSeries(db, index, series, timestamps, before, today, now)
  }
}

/** The usual case, told from memory: the reading before is known, newer than any rollup, and its days are marked or open. */
function isNoted(
  db: DatabaseSync,
  { days }: SeriesIndex,
  { seriesId, spec }: DeviceSeries,
  timestamps: readonly number[],
  before: number,
  today: number,
): boolean {
  const hot = journalOf(db).index.of(seriesId)
  const first = timestamps[0] ?? 0
  if (!hot) return false
  // Of a gauge a reading changes the window it is in, and no other.
  const previous = spec.kind === 'gauge' ? first : hot.timestamps[firstAfter(hot.timestamps, first) - 1]
  if (previous === undefined || previous < before) return false
  const from = days.numberAt(previous)
  if (from >= today) return true
  const known = markedOf(db).get(seriesId)
  return known !== undefined && known.from <= from && known.to >= days.numberAt(timestamps.at(-1) ?? 0)
}

function noteSeries(
  db: DatabaseSync,
  index: SeriesIndex,
  { seriesId, spec, spaceSeries }: DeviceSeries,
  timestamps: readonly number[],
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
