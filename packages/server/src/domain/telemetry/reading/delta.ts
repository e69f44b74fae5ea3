import { float64At, numberAt } from '../../../kernel/at.ts'
import { lowerBound } from '../../../kernel/binary-search.ts'
import type { MetricSpec } from '../../estate/inventory/inventory.ts'
import {
  isImplausible,
  type MeterCell,
  type MeterReadings,
  missingMeterCell,
  NONE_UNREAD,
  ONE_UNREAD,
  roundSum,
} from './cell.ts'
import type { Readings } from './packed-day.ts'
import { round6 } from './window-value.ts'

const MINUTE_MS = 60_000
const HALF_HOUR_MS = 30 * MINUTE_MS

/** Longest interval of a delta. */
export const LONGEST_DELTA_MS = 86_400_000

export type DeltaRules = Pick<MetricSpec, 'maxPerHour' | 'stamp' | 'stepMinutes'>

/**
 * Consumption from interval deltas. A delta's value is spread evenly over its interval: a window shorter than the
 * interval gets a share of it, longer windows get whole deltas.
 */
export function readDeltas(readings: Readings, rules: DeltaRules): MeterReadings {
  const { values } = readings
  const { starts, ends } = toIntervals(readings.timestamps, rules)
  const count = starts.length

  /**
   * The part of a delta before an instant. It is rounded where windows meet, so that the shares of both sides add up to
   * the delta. A delta with more decimals than are shown cannot add up to the last one, and stays exact instead.
   */
  const partBefore = (at: number, index: number): number => {
    const value = numberAt(values, index)
    const [start, end] = [float64At(starts, index), float64At(ends, index)]
    if (at <= start) return 0
    if (at >= end) return value
    const share = value * ((at - start) / (end - start))
    return round6(value) === value ? round6(share) : share
  }

  return {
    cell({ from, to }): MeterCell {
      let sum = 0
      let spanned = 0
      let hasReading = false
      let isSuspect = false
      // The first interval that ends after the start of the span.
      for (let index = lowerBound(ends, from + 1); index < count; index += 1) {
        const [start, end] = [float64At(starts, index), float64At(ends, index)]
        if (start >= to) break
        const overlap = Math.min(to, end) - Math.max(from, start)
        if (overlap <= 0) continue
        sum += partBefore(to, index) - partBefore(from, index)
        spanned += overlap
        if (start >= from) hasReading = true
        if (isImplausible(numberAt(values, index), end - start, rules.maxPerHour)) isSuspect = true
      }
      if (spanned === 0) return missingMeterCell(to - from)
      const unread = hasReading ? NONE_UNREAD : ONE_UNREAD
      return { value: roundSum(sum), gapMs: to - from - spanned, unread, isSuspect }
    },
  }
}

/**
 * The interval of each delta, in order and without overlaps. A timestamp is the start of the interval, or the end if
 * the meter stamps it. The length is the declared step; without one, it is the distance to the next delta (for the
 * newest one, to the one before) or, for a meter that stamps the end, to the one before. An interval ends where another
 * begins, and is at most a day long.
 */
function toIntervals(
  timestamps: ArrayLike<number>,
  { stamp, stepMinutes }: DeltaRules,
): { starts: Float64Array; ends: Float64Array } {
  const count = timestamps.length
  const starts = new Float64Array(count)
  const ends = new Float64Array(count)
  const declared = stepMinutes === undefined ? LONGEST_DELTA_MS : stepMinutes * MINUTE_MS
  for (let index = 0; index < count; index += 1) {
    const at = numberAt(timestamps, index)
    const toPrevious = index > 0 ? at - numberAt(timestamps, index - 1) : undefined
    const toNext = index < count - 1 ? numberAt(timestamps, index + 1) - at : undefined
    // Without a neighbour on that side, the length of the interval is known only if a step is declared.
    const alone = stepMinutes === undefined ? HALF_HOUR_MS : declared
    if (stamp === 'end') {
      starts[index] = at - Math.min(declared, toPrevious ?? alone)
      ends[index] = at
    } else {
      const newest = stepMinutes === undefined ? (toPrevious ?? alone) : declared
      starts[index] = at
      ends[index] = at + Math.min(declared, toNext ?? newest)
    }
  }
  return { starts, ends }
}
