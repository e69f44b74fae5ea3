import type { DatabaseSync } from 'node:sqlite'
import { float64At } from '../../../lib/at.ts'
import type { DeviceSeries, SeriesIndex } from '../../../telemetry/rollup/series-index.ts'
import { hasNeighbours, touchedDays } from '../../../telemetry/rollup/touched.ts'
import { forEachSeries, type JournalBatch } from '../journal-batch.ts'
import { journalOf } from '../journal.ts'
import { salvage } from '../quarantine.ts'
import { reopenDays, sealedBefore } from './sealed-days.ts'
import { seriesIndexOf } from '../series-index.ts'
import { markStale } from './stale-days.ts'
import { touchedSpans } from './touched-days.ts'

/** From when to before when the days of a series are marked. */
interface Marked {
  from: number
  before: number
}

/** What this connection has marked already, by series: an import would mark the same days a thousand times. */
const marked = new WeakMap<DatabaseSync, Map<number, Marked>>()

export const markedOf = (db: DatabaseSync): Map<number, Marked> => {
  let known = marked.get(db)
  if (!known) marked.set(db, (known = new Map()))
  return known
}

/** Of each series of a batch the instant of its newest reading before. */
export type Newest = Float64Array

/**
 * Takes away the rollups that new readings make untrue, and marks the days they fall in to be rolled up. `newest` is given where all of
 * them are newer.
 */
export function noteChanges(
  db: DatabaseSync,
  siteUuid: string,
  changes: JournalBatch,
  now: number,
  newest?: Newest,
): void {
  const index = changes.heads.length > 0 ? seriesIndexOf(db, siteUuid) : undefined
  if (!index) return
  const sealed = sealedBefore(db, siteUuid)
  const noted = notedIn(db, index, sealed, now)
  const hot = journalOf(db).index
  const { timestamps } = changes
  let place = 0
  forEachSeries(changes, (seriesId, from, to) => {
    const series = index.devices.get(seriesId)
    const first = float64At(timestamps, from)
    const before = newest ? newest[place++] : hot.before(seriesId, first)
    if (series && !noted(series, first, timestamps[to - 1] ?? first, before ?? first))
      noteSeries(db, index, series, timestamps.subarray(from, to), sealed, now)
  })
}

type IsNoted = (series: DeviceSeries, first: number, last: number, before: number) => boolean

/** The usual case, told from memory: the reading before is newer than any rollup, and the days from it on are marked or open. */
function notedIn(db: DatabaseSync, { days }: SeriesIndex, sealed: number, now: number): IsNoted {
  const known = markedOf(db)
  const today = days.startOf(days.numberAt(now))
  return ({ seriesId, spec }, first, last, before) => {
    // Of a gauge a reading changes the window it is in, and no other.
    const from = hasNeighbours(spec) ? before : first
    if (from < sealed || !Number.isFinite(from)) return false
    if (from >= today) return true
    const marks = known.get(seriesId)
    return marks !== undefined && marks.from <= from && marks.before > last
  }
}

function noteSeries(
  db: DatabaseSync,
  index: SeriesIndex,
  { seriesId, spec, spaceSeries }: DeviceSeries,
  timestamps: Iterable<number>,
  sealed: number,
  now: number,
): void {
  const today = index.days.numberAt(now)
  for (const span of salvage(db, () => touchedSpans(db, seriesId, spec, timestamps))) {
    const { device, space } = touchedDays(index.days, span, journalOf(db).droppedBefore())
    const { from, to } = device
    if (span.from < sealed) {
      reopenDays(db, seriesId, device.untrueFrom, to)
      for (const touched of spaceSeries) reopenDays(db, touched, space.untrueFrom, to)
    }
    if (from >= today) continue
    markStale(db, { seriesId, from, to, markedAt: now, dueAt: index.days.startOf(from + 1) })
    markedOf(db).set(seriesId, { from: index.days.startOf(from), before: index.days.startOf(to + 1) })
  }
}
