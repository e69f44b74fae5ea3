import type { DatabaseSync } from 'node:sqlite'
import {
  dependsOnNeighbours,
  groupReadings,
  affectedSpan,
} from '../../../domain/telemetry/rollup/invalidation.ts'
import type { MetricSpec } from '../../../domain/estate/inventory/inventory.ts'
import { lowerBound } from '../../../kernel/binary-search.ts'
import { utcDayNumber, type Readings } from '../../../domain/telemetry/reading/packed-day.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'
import { getJournal } from '../journal/journal.ts'
import { getLatestCompacted } from '../journal/latest-readings.ts'
import { packedDayAfter, packedDayBefore, packedDays } from '../journal/reading-days.ts'

/**
 * The spans whose results are affected by readings of a series: from the reading before each one to the reading after
 * it.
 */
export function affectedSpans(
  db: DatabaseSync,
  seriesId: number,
  spec: MetricSpec,
  timestamps: Iterable<number>,
): TimeSpan[] {
  return groupReadings(timestamps).map((run) =>
    affectedSpan(spec, run, {
      before: dependsOnNeighbours(spec) ? readingBefore(db, seriesId, run.from) : undefined,
      after: dependsOnNeighbours(spec) ? readingAfter(db, seriesId, run.to) : undefined,
    }),
  )
}

function readingBefore(db: DatabaseSync, seriesId: number, at: number): number | undefined {
  const hot = getJournal(db).index.before(seriesId, at)
  const latest = getLatestCompacted(db, seriesId)
  const packed = latest < at ? latest : packedBefore(db, seriesId, at)
  const found = Math.max(hot, packed)
  return Number.isFinite(found) ? found : undefined
}

function packedBefore(db: DatabaseSync, seriesId: number, at: number): number {
  const day = utcDayNumber(at)
  const inDay = lastBelow(packedDays(db, seriesId, day, day)[0], at)
  return Number.isFinite(inDay) ? inDay : lastBelow(packedDayBefore(db, seriesId, day), at)
}

function readingAfter(db: DatabaseSync, seriesId: number, at: number): number | undefined {
  const { index } = getJournal(db)
  const hot = index.newestAt(seriesId) > at ? firstAbove(index.of(seriesId), at) : Number.POSITIVE_INFINITY
  const day = utcDayNumber(at)
  let packed = Number.POSITIVE_INFINITY
  if (getLatestCompacted(db, seriesId) > at) {
    packed = firstAbove(packedDays(db, seriesId, day, day)[0], at)
    if (!Number.isFinite(packed)) packed = firstAbove(packedDayAfter(db, seriesId, day), at)
  }
  const found = Math.min(hot, packed)
  return Number.isFinite(found) ? found : undefined
}

const lastBelow = (readings: Readings | undefined, at: number): number =>
  readings?.timestamps[lowerBound(readings.timestamps, at) - 1] ?? Number.NEGATIVE_INFINITY

const firstAbove = (readings: Readings | undefined, at: number): number =>
  readings?.timestamps[lowerBound(readings.timestamps, at + 1)] ?? Number.POSITIVE_INFINITY
