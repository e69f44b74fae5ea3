import type { DatabaseSync } from 'node:sqlite'
import type { MetricSpec } from '../../inventory/inventory.ts'
import { firstAfter, LONGEST_DELTA_MS } from '../../reading/delta.ts'
import { dayOf, type Readings } from '../../reading/packed-day.ts'
import type { Span } from '../../reading/window-value.ts'
import { prepared } from './connect.ts'
import { journalOf } from './journal.ts'
import { packedDayAfter, packedDayBefore, packedDays } from './reading-days.ts'
import { integer } from './row.ts'

/** Readings further apart than this are looked at one by one, so that two late ones do not reopen all between them. */
const RUN_GAP_MS = 2 * 86_400_000

/** The stretches of time whose figures some readings of a series change: from the reading before to the one after each. */
export function touchedSpans(
  db: DatabaseSync,
  seriesId: number,
  spec: MetricSpec,
  timestamps: readonly number[],
): Span[] {
  return runsOf(timestamps).map(({ from, to }) => {
    if (spec.kind === 'gauge') return { from, to }
    const next = readingAfter(db, seriesId, to) ?? to
    return {
      from: readingBefore(db, seriesId, from) ?? from,
      // A delta is as long as its neighbours let it be: the one after may have changed its length.
      to: spec.kind === 'delta' ? next + LONGEST_DELTA_MS : next,
    }
  })
}

function runsOf(timestamps: readonly number[]): Span[] {
  const runs: Span[] = []
  for (const at of timestamps) {
    const run = runs.at(-1)
    if (run && at - run.to <= RUN_GAP_MS) run.to = at
    else runs.push({ from: at, to: at })
  }
  return runs
}

/** The newest reading that is packed. */
export function latestPacked(db: DatabaseSync, seriesId: number): number {
  const row = prepared(db, 'SELECT ts FROM latest_readings WHERE series_id = ?').get(seriesId)
  return row ? integer(row, 'ts') : Number.NEGATIVE_INFINITY
}

function readingBefore(db: DatabaseSync, seriesId: number, at: number): number | undefined {
  const hot = lastBelow(journalOf(db).index.of(seriesId), at)
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
  const hot = firstAbove(journalOf(db).index.of(seriesId), at)
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
