import { numberAt } from '../../../kernel/at.ts'
import { lowerBound } from '../../../kernel/binary-search.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'
import type { MetricSpec } from '../../estate/inventory/inventory.ts'
import { type GaugeCell, NO_GAPS, NO_GAUGE, roundSum } from './cell.ts'
import { pushGap } from './gaps.ts'
import type { Readings } from './packed-day.ts'

const MINUTE_MS = 60_000

/** How long a reading is valid, unless the inventory declares another limit. */
const DEFAULT_MAX_GAP_MINUTES = 60

/** How long a reading of the gauge is valid at most. */
export const getMaxGapMs = ({ maxGapMinutes = DEFAULT_MAX_GAP_MINUTES }: MetricSpec): number =>
  maxGapMinutes * MINUTE_MS

/** The cell of one gauge. `readings` also contains those up to `maxGapMs` before the span. */
export function gaugeCell({ timestamps, values }: Readings, span: TimeSpan, maxGapMs: number): GaugeCell {
  const first = lowerBound(timestamps, span.from)
  const before = first > 0 ? numberAt(timestamps, first - 1) : Number.NEGATIVE_INFINITY
  /** The end of the validity of the readings so far. */
  let coveredTo = Math.max(span.from, before + maxGapMs)
  const doesStand = coveredTo > span.from
  let { count, sum, min, max } = NO_GAUGE
  // Allocated only if needed: most sensors have no gaps.
  let gaps: number[] | undefined
  for (let index = first; index < timestamps.length; index += 1) {
    const at = numberAt(timestamps, index)
    if (at >= span.to) break
    const value = numberAt(values, index)
    count += 1
    sum += value
    min = Math.min(min, value)
    max = Math.max(max, value)
    if (coveredTo < at) pushGap((gaps ??= []), coveredTo - span.from, at - span.from)
    coveredTo = at + maxGapMs
  }
  if (count === 0 && !doesStand) return NO_GAUGE
  if (coveredTo < span.to) pushGap((gaps ??= []), coveredTo - span.from, span.to - span.from)
  if (count > 0) return { count, sum: roundSum(sum), min, max, standing: 0, gaps: gaps ?? NO_GAPS }
  const value = numberAt(values, first - 1)
  return { count: 0, sum: value, min: value, max: value, standing: 1, gaps: gaps ?? NO_GAPS }
}
