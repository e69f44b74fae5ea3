import type { DatabaseSync } from 'node:sqlite'
import { hasNeighbours, runsOf, touchedSpan } from '../../../telemetry/rollup/touched.ts'
import type { MetricSpec } from '../../../inventory/inventory.ts'
import { firstAfter } from '../../../reading/delta.ts'
import { dayOf, type Readings } from '../../../reading/packed-day.ts'
import type { Span } from '../../../reading/window-value.ts'
import { journalOf } from '../journal.ts'
import { latestPacked } from '../latest-packed.ts'
import { packedDayAfter, packedDayBefore, packedDays } from '../reading-days.ts'

/** The stretches of time whose figures some readings of a series change: from the reading before to the one after each. */
export function touchedSpans(
  db: DatabaseSync,
  seriesId: number,
  spec: MetricSpec,
  timestamps: Iterable<number>,
): Span[] {
  return runsOf(timestamps).map((run) =>
    touchedSpan(spec, run, {
      before: hasNeighbours(spec) ? readingBefore(db, seriesId, run.from) : undefined,
      after: hasNeighbours(spec) ? readingAfter(db, seriesId, run.to) : undefined,
    }),
  )
}

function readingBefore(db: DatabaseSync, seriesId: number, at: number): number | undefined {
  const hot = journalOf(db).index.before(seriesId, at)
  const latest = latestPacked(db, seriesId)
  const packed = latest < at ? latest : packedBefore(db, seriesId, at)
  const found = Math.max(hot, packed)
  return Number.isFinite(found) ? found : undefined
}

function packedBefore(db: DatabaseSync, seriesId: number, at: number): number {
  const day = dayOf(at)
  const inDay = lastBelow(packedDays(db, seriesId, day, day)[0], at)
  return Number.isFinite(inDay) ? inDay : lastBelow(packedDayBefore(db, seriesId, day), at)
}

function readingAfter(db: DatabaseSync, seriesId: number, at: number): number | undefined {
  const { index } = journalOf(db)
  const hot = index.newestAt(seriesId) > at ? firstAbove(index.of(seriesId), at) : Number.POSITIVE_INFINITY
  const day = dayOf(at)
  let packed = Number.POSITIVE_INFINITY
  if (latestPacked(db, seriesId) > at) {
    packed = firstAbove(packedDays(db, seriesId, day, day)[0], at)
    if (!Number.isFinite(packed)) packed = firstAbove(packedDayAfter(db, seriesId, day), at)
  }
  const found = Math.min(hot, packed)
  return Number.isFinite(found) ? found : undefined
}

const lastBelow = (readings: Readings | undefined, at: number): number =>
  readings?.timestamps[firstAfter(readings.timestamps, at) - 1] ?? Number.NEGATIVE_INFINITY

const firstAbove = (readings: Readings | undefined, at: number): number =>
  readings?.timestamps[firstAfter(readings.timestamps, at + 1)] ?? Number.POSITIVE_INFINITY
