import type { MetricSpec } from '../../estate/inventory/inventory.ts'
import type { LocalDays } from '../../../calendar/local-day.ts'
import { LONGEST_DELTA_MS } from '../reading/delta.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'
import type { DayRange } from './roll-up.ts'

/** Readings further apart than this are looked at one by one, so that two late ones do not reopen all between them. */
const RUN_GAP_MS = 2 * 86_400_000

/** Readings that lie close together, from the first to the last of each run. */
export function groupReadings(timestamps: Iterable<number>): TimeSpan[] {
  const runs: { from: number; to: number }[] = []
  for (const at of timestamps) {
    const run = runs.at(-1)
    if (run && at - run.to <= RUN_GAP_MS) run.to = at
    else runs.push({ from: at, to: at })
  }
  return runs
}

/** The readings beside a run; undefined where there is none. */
export interface Neighbours {
  before: number | undefined
  after: number | undefined
}

/** Of a gauge a reading changes the window it is in, and no other. */
export const dependsOnNeighbours = ({ kind }: MetricSpec): boolean => kind !== 'gauge'

/** The stretch of time whose figures a run of readings changes: from the reading before it to the one after. */
export function affectedSpan({ kind }: MetricSpec, run: TimeSpan, { before, after }: Neighbours): TimeSpan {
  if (kind === 'gauge') return run
  const next = after ?? run.to
  // A delta is as long as its neighbours let it be: the one after may have changed its length.
  return { from: before ?? run.from, to: kind === 'delta' ? next + LONGEST_DELTA_MS : next }
}

/** The first day that can be computed from readings: those before may have been dropped, and their rollups stay. */
export const firstRetainedDay = (days: LocalDays, retentionWatermark: number): number =>
  retentionWatermark === 0 ? Number.NEGATIVE_INFINITY : days.dayAt(retentionWatermark) + 1

/** Days to roll up again, and from which of them on the rollups that are there have become untrue. */
export interface AffectedDays extends DayRange {
  invalidFrom: number
}

/**
 * The days that a stretch of changed figures touches. It may begin before the readings that are kept, at the last one of a device that
 * has been silent since: days without a rollup, of which nothing was known, then get one. Those that have one keep it, for their
 * readings may be gone. A space is made of its devices' rollups, however old.
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
