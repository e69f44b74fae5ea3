import { numberAt } from '../../../kernel/at.ts'
import { lowerBound } from '../../../kernel/binary-search.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'
import type { MetricSpec } from '../../estate/inventory/inventory.ts'
import { type GaugeCell, NO_GAPS, NO_GAUGE, tidySum } from './cell.ts'
import { pushGap } from './gaps.ts'
import type { Readings } from './packed-day.ts'

const MINUTE_MS = 60_000

/** How long a reading stands, unless the inventory says otherwise. */
const DEFAULT_MAX_GAP_MINUTES = 60

/** How long a reading of the gauge stands for the time after it, at most. */
export const getMaxGapMs = ({ maxGapMinutes = DEFAULT_MAX_GAP_MINUTES }: MetricSpec): number =>
  maxGapMinutes * MINUTE_MS

/** The cell of one gauge. `readings` also contains those up to `maxGapMs` before the span. */
export function gaugeCell({ timestamps, values }: Readings, span: TimeSpan, maxGapMs: number): GaugeCell {
  const first = lowerBound(timestamps, span.from)
  const before = first > 0 ? numberAt(timestamps, first - 1) : Number.NEGATIVE_INFINITY
  /** The end of the time that the readings so far stand for. */
  let coveredTo = Math.max(span.from, before + maxGapMs)
  const doesStand = coveredTo > span.from
  let { count, sum, min, max } = NO_GAUGE
  let gaps: number[] | undefined
  const addGap = (from: number, to: number): void => {
    // Allocated only if needed: most sensors have no gaps.
    if (from < to) pushGap((gaps ??= []), from - span.from, to - span.from)
  }
  for (let index = first; index < timestamps.length; index += 1) {
    const at = numberAt(timestamps, index)
    if (at >= span.to) break
    const value = numberAt(values, index)
    count += 1
    sum += value
    min = Math.min(min, value)
    max = Math.max(max, value)
    addGap(coveredTo, at)
    coveredTo = at + maxGapMs
  }
  if (count === 0 && !doesStand) return NO_GAUGE
  addGap(coveredTo, span.to)
  if (count > 0) return { count, sum: tidySum(sum), min, max, standing: 0, gaps: gaps ?? NO_GAPS }
  const value = numberAt(values, first - 1)
  return { count: 0, sum: value, min: value, max: value, standing: 1, gaps: gaps ?? NO_GAPS }
}
