import type { DatabaseSync } from 'node:sqlite'
import { float64At } from '../../../kernel/at.ts'
import type { DeviceSeries, SeriesIndex } from '../../../domain/telemetry/rollup/series-index.ts'
import { findCorrectedDays } from '../../../domain/telemetry/closed-days/correction.ts'
import { dependsOnNeighbours, affectedDays } from '../../../domain/telemetry/rollup/invalidation.ts'
import { forEachSeries, type JournalBatch } from '../journal/journal-batch.ts'
import { getJournal } from '../journal/journal.ts'
import { salvage } from '../quarantine.ts'
import { loadSiteState, type SiteState } from '../rollups/site-state.ts'
import { deleteRollups } from './rollup-rows.ts'
import { getSeriesIndex } from '../rollups/series-index.ts'
import { enqueue } from './rollup-queue.ts'
import { affectedSpans } from './affected-spans.ts'
import { addCorrections } from './corrections.ts'

/** A span of days in the rollup queue, as instants. */
interface QueuedSpan {
  from: number
  before: number
}

/** Spans that this connection has enqueued, by series: an import would enqueue the same days a thousand times. */
const marked = new WeakMap<DatabaseSync, Map<number, QueuedSpan>>()

export const getQueuedSpans = (db: DatabaseSync): Map<number, QueuedSpan> => {
  let known = marked.get(db)
  if (!known) marked.set(db, (known = new Map()))
  return known
}

/** For each series of a batch, the instant of its newest reading before the batch. */
export type Newest = Float64Array

/**
 * Deletes the rollups that new readings invalidate, enqueues the days of the readings, and records corrections of
 * closed days. `newest` is given if all readings are newer than the stored ones.
 */
export function invalidateChanged(
  db: DatabaseSync,
  siteUuid: string,
  changes: JournalBatch,
  now: number,
  newest?: Newest,
): void {
  const index = changes.heads.length > 0 ? getSeriesIndex(db, siteUuid) : undefined
  if (!index) return
  const state = loadSiteState(db, siteUuid)
  const noted = notedIn(db, index, Math.max(state.rollupWatermark, state.closedBefore), now)
  const hot = getJournal(db).index
  const { timestamps } = changes
  let place = 0
  forEachSeries(changes, (seriesId, from, to) => {
    const series = index.devices.get(seriesId)
    const first = float64At(timestamps, from)
    const before = newest ? newest[place++] : hot.before(seriesId, first)
    if (series && !noted(series, first, timestamps[to - 1] ?? first, before ?? first))
      noteSeries(db, siteUuid, index, series, timestamps.subarray(from, to), state, now)
  })
}

type IsNoted = (series: DeviceSeries, first: number, last: number, before: number) => boolean

/**
 * The usual case, decided in memory: the previous reading is newer than any rollup or closed day, and the days from it
 * on are enqueued or open.
 */
function notedIn(db: DatabaseSync, { days }: SeriesIndex, watermark: number, now: number): IsNoted {
  const known = getQueuedSpans(db)
  const today = days.startOfDay(days.dayAt(now))
  return ({ seriesId, spec }, first, last, before) => {
    // A reading of a gauge affects only the window that contains it.
    const from = dependsOnNeighbours(spec) ? before : first
    if (from < watermark || !Number.isFinite(from)) return false
    if (from >= today) return true
    const marks = known.get(seriesId)
    return marks !== undefined && marks.from <= from && marks.before > last
  }
}

function noteSeries(
  db: DatabaseSync,
  siteUuid: string,
  index: SeriesIndex,
  { seriesId, spec, spaceSeries }: DeviceSeries,
  timestamps: Iterable<number>,
  { rollupWatermark, closedBefore }: SiteState,
  now: number,
): void {
  const today = index.days.dayAt(now)
  for (const span of salvage(db, () => affectedSpans(db, seriesId, spec, timestamps))) {
    const { device, space } = affectedDays(index.days, span, getJournal(db).retentionWatermark())
    const { from, to } = device
    addCorrections(db, siteUuid, findCorrectedDays(index.days, spaceSeries, span, closedBefore), now)
    if (span.from < rollupWatermark) {
      deleteRollups(db, seriesId, device.invalidFrom, to)
      for (const affected of spaceSeries) deleteRollups(db, affected, space.invalidFrom, to)
    }
    if (from >= today || isQueued(db, index.days, seriesId, device)) continue
    enqueue(db, { seriesId, from, to, enqueuedAt: now, dueAt: index.days.startOfDay(from + 1) })
    getQueuedSpans(db).set(seriesId, {
      from: index.days.startOfDay(from),
      before: index.days.startOfDay(to + 1),
    })
  }
}

/** Whether this connection has enqueued the days, and they have not been rolled up since. */
function isQueued(
  db: DatabaseSync,
  days: SeriesIndex['days'],
  seriesId: number,
  { from, to }: { from: number; to: number },
): boolean {
  const span = getQueuedSpans(db).get(seriesId)
  return span !== undefined && span.from <= days.startOfDay(from) && span.before >= days.startOfDay(to + 1)
}
