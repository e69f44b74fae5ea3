import type { DatabaseSync } from 'node:sqlite'
import type { TimeSpan } from '../../../calendar/interval.ts'
import { float64At } from '../../../kernel/at.ts'
import type { DeviceSeries, SeriesIndex } from '../../../domain/telemetry/rollup/series-index.ts'
import { findCorrectedDays } from '../../../domain/telemetry/closed-days/correction.ts'
import {
  affectedDays,
  affectedSpan,
  dependsOnNeighbours,
} from '../../../domain/telemetry/rollup/invalidation.ts'
import { forEachSeries, type ReadingBatch } from '../../../domain/telemetry/reading/batch.ts'
import { getJournal } from '../journal/journal.ts'
import { salvage } from '../quarantine.ts'
import { loadSiteState, type SiteState } from '../rollups/site-state.ts'
import { deleteRollups } from './rollup-rows.ts'
import { getSeriesIndex } from '../rollups/series-index.ts'
import { enqueue } from './rollup-queue.ts'
import { affectedSpans } from './affected-spans.ts'
import { addCorrections } from './corrections.ts'
import { getStoredChanges } from './stored-changes.ts'

/** For each series of a batch, the instant of its newest reading before the batch. */
export type Newest = Float64Array

/**
 * Deletes the rollups that new readings invalidate, enqueues the days of the readings, and records corrections of
 * closed days. `newest` is given if all readings are newer than the stored ones.
 */
export function invalidateChanged(
  db: DatabaseSync,
  siteUuid: string,
  changes: ReadingBatch,
  now: number,
  newest?: Newest,
): void {
  const index = changes.heads.length > 0 ? getSeriesIndex(db, siteUuid) : undefined
  if (!index) return
  const site: ChangedSite = { db, siteUuid, index, state: loadSiteState(db, siteUuid), now }
  const isStored = storedIn(site)
  const hot = getJournal(db).index
  const { timestamps } = changes
  let place = 0
  forEachSeries(changes, (seriesId, from, to) => {
    const series = index.devices.get(seriesId)
    const before = newest ? float64At(newest, place++) : hot.before(seriesId, float64At(timestamps, from))
    if (!series) return
    const run = { from: float64At(timestamps, from), to: float64At(timestamps, to - 1) }
    if (isStored(series, run, before, newest !== undefined)) return
    for (const span of salvage(db, () =>
      affectedSpans(db, seriesId, series.spec, timestamps.subarray(from, to)),
    ))
      storeChange(site, series, span)
  })
}

/** A site whose readings change. */
interface ChangedSite {
  db: DatabaseSync
  siteUuid: string
  index: SeriesIndex
  state: SiteState
  now: number
}

type IsStored = (series: DeviceSeries, run: TimeSpan, before: number, isNewest: boolean) => boolean

/**
 * The usual case, decided in memory: the previous reading is newer than any rollup, and the days from it on are open, or
 * enqueued and corrected.
 */
function storedIn({
  db,
  index: { days },
  state: { rollupWatermark, closedBefore },
  now,
}: ChangedSite): IsStored {
  const known = getStoredChanges(db)
  const today = days.startOfDay(days.dayAt(now))
  return ({ seriesId, spec }, run, before, isNewest) => {
    // A reading of a gauge affects only the window that contains it.
    const from = dependsOnNeighbours(spec) ? before : run.from
    if (from < rollupWatermark || !Number.isFinite(from)) return false
    const isOpen = from >= closedBefore
    if (from >= today && isOpen) return true
    const stored = known.get(seriesId)
    if (stored === undefined) return false
    // If there is a later reading, its own change has enqueued the days up to it.
    const span = affectedSpan(spec, run, { before, after: undefined })
    if (stored.from > Math.min(from, span.from) || stored.before <= span.to) return false
    if (!isOpen) {
      // The days up to the later reading may need a correction.
      if (!isNewest || now >= stored.correctedUntil) return false
      if (Math.min(span.to, closedBefore) > stored.correctedBefore) return false
    }
    stored.changedAt = now
    return true
  }
}

function storeChange(
  { db, siteUuid, index: { days }, state: { rollupWatermark, closedBefore }, now }: ChangedSite,
  { seriesId, spaceSeries }: DeviceSeries,
  span: TimeSpan,
): void {
  const { device, space } = affectedDays(days, span, getJournal(db).retentionWatermark())
  const { from, to } = device
  const corrected = findCorrectedDays(days, spaceSeries, span, closedBefore)
  const correctedUntil = addCorrections(db, siteUuid, corrected, now)
  if (span.from < rollupWatermark) {
    deleteRollups(db, seriesId, device.invalidFrom, to)
    for (const affected of spaceSeries) deleteRollups(db, affected, space.invalidFrom, to)
  }
  if (from >= days.dayAt(now)) return
  const known = getStoredChanges(db)
  const stored = known.get(seriesId)
  // Without spaces, there is nothing to correct. Otherwise, days without corrections may be closed later.
  const [first] = corrected
  const uncorrected = spaceSeries.length === 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
  const correctedBefore = first ? days.startOfDay(first.end) : uncorrected
  if (stored && stored.from <= days.startOfDay(from) && stored.before >= days.startOfDay(to + 1)) {
    // The corrections may begin later than the queued days.
    Object.assign(stored, { from: days.startOfDay(from), correctedBefore, correctedUntil, changedAt: now })
    return
  }
  enqueue(db, { seriesId, from, to, enqueuedAt: now, dueAt: days.startOfDay(from + 1) })
  known.set(seriesId, {
    from: days.startOfDay(from),
    before: days.startOfDay(to + 1),
    correctedBefore,
    correctedUntil,
    changedAt: now,
  })
}
