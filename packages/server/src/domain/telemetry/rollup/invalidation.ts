import type { MetricSpec } from '../../estate/inventory/inventory.ts'
import type { LocalDays } from '../../../calendar/local-day.ts'
import { LONGEST_DELTA_MS } from '../reading/delta.ts'
import { getMaxGapMs } from '../reading/gauge.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'
import type { DayRange } from './roll-up.ts'

/** Readings further apart than this are handled separately, so that two late ones do not reopen all days in between. */
const RUN_GAP_MS = 2 * 86_400_000

/** Groups readings that are close together into spans from the first to the last of each group. */
export function groupReadings(timestamps: Iterable<number>): TimeSpan[] {
  const runs: { from: number; to: number }[] = []
  for (const at of timestamps) {
    const run = runs.at(-1)
    if (run && at - run.to <= RUN_GAP_MS) run.to = at
    else runs.push({ from: at, to: at })
  }
  return runs
}

/** The readings before and after a group; undefined if there is none. */
export interface Neighbours {
  before: number | undefined
  after: number | undefined
}

/** False for a gauge: the readings around a new one do not matter for what it changes. */
export const dependsOnNeighbours = ({ kind }: MetricSpec): boolean => kind !== 'gauge'

/** The span whose results a group of readings changes. */
export function affectedSpan(spec: MetricSpec, run: TimeSpan, { before, after }: Neighbours): TimeSpan {
  // The last reading is valid for some time after it.
  if (spec.kind === 'gauge') return { from: run.from, to: run.to + getMaxGapMs(spec) }
  const [from, to] = [before ?? run.from, after ?? run.to]
  if (spec.kind === 'register') return { from, to }
  // The intervals of the deltas themselves. That of the newest delta depends on the one before it.
  return spec.stamp === 'end'
    ? { from: before ?? run.from - LONGEST_DELTA_MS, to }
    : { from, to: to + LONGEST_DELTA_MS }
}

/**
 * The days whose values depend on readings of a span, whatever the device's metric is declared to be: no reading is valid
 * for longer than a delta may last. With the clocks set forward, that can reach beyond the next day.
 */
export const dependentDays = (days: LocalDays, { from, to }: TimeSpan): DayRange => ({
  from: days.dayAt(from - LONGEST_DELTA_MS),
  to: days.dayAt(to + LONGEST_DELTA_MS),
})

/** The first day that can be computed from readings: earlier ones may have been deleted, and their rollups stay. */
export const firstRetainedDay = (days: LocalDays, retentionWatermark: number): number =>
  retentionWatermark === 0 ? Number.NEGATIVE_INFINITY : days.dayAt(retentionWatermark) + 1

/** Days to roll up again, and the first of them whose existing rollup is invalid. */
export interface AffectedDays extends DayRange {
  invalidFrom: number
}

/**
 * The days of a span of changed results. It may begin before the retained readings, at the last reading of a device
 * that has been silent since: days without a rollup then get one. Days with a rollup keep it, because their readings
 * may be deleted. A space is computed from the rollups of its devices, however old they are.
 */
export function affectedDays(
  days: LocalDays,
  span: TimeSpan,
  retentionWatermark: number,
): { device: AffectedDays; space: AffectedDays } {
  const [from, to] = [days.dayAt(span.from), days.dayAt(span.to)]
  return {
    device: { from, to, invalidFrom: Math.max(from, firstRetainedDay(days, retentionWatermark)) },
    space: { from, to, invalidFrom: from },
  }
}
