import { lowerBound } from '../../../kernel/binary-search.ts'
import { numberAt } from '../../../kernel/at.ts'
import {
  type MeterCell,
  type MeterReadings,
  missingMeterCell,
  NONE_UNREAD,
  ONE_UNREAD,
  tidySum,
} from './cell.ts'
import type { Readings } from './packed-day.ts'
import { round6 } from './window-value.ts'

const HALF_HOUR_MS = 30 * 60_000

/** Longest interval that a delta can stand for. */
export const LONGEST_DELTA_MS = 86_400_000

/**
 * Consumption from interval deltas. A delta stands for the interval that starts at its timestamp and is as long as the
 * shorter of the distances to its neighbours: the meter's own step, also next to a gap. Its value is spread evenly over
 * the interval: a window shorter than the step gets a share of it, longer windows get whole deltas.
 */
export function readDeltas(
  { timestamps, values }: Readings,
  rules: { maxPerHour: number | null },
): MeterReadings {
  const count = timestamps.length
  const time = (index: number): number => numberAt(timestamps, index)

  const getLength = (index: number): number => {
    const toNext = index < count - 1 ? time(index + 1) - time(index) : Number.POSITIVE_INFINITY
    const fromPrevious = index > 0 ? time(index) - time(index - 1) : Number.POSITIVE_INFINITY
    const length = Math.min(toNext, fromPrevious)
    return Number.isFinite(length) ? Math.min(length, LONGEST_DELTA_MS) : HALF_HOUR_MS
  }

  /**
   * The part of a delta before an instant. It is rounded where windows meet, so that the shares of both sides add up to
   * the delta. A delta with more decimals than are shown cannot add up to the last one, and stays exact instead.
   */
  const partBefore = (at: number, index: number, length: number): number => {
    const value = numberAt(values, index)
    const elapsed = at - time(index)
    if (elapsed <= 0) return 0
    if (elapsed >= length) return value
    const share = value * (elapsed / length)
    return round6(value) === value ? round6(share) : share
  }

  return {
    cell({ from, to }): MeterCell {
      let sum = 0
      let spanned = 0
      let hasReading = false
      let isSuspect = false
      const first = lowerBound(timestamps, from - LONGEST_DELTA_MS)
      for (let index = first; index < count && time(index) < to; index += 1) {
        const start = time(index)
        const length = getLength(index)
        const overlap = Math.min(to, start + length) - Math.max(from, start)
        if (overlap <= 0) continue
        sum += partBefore(to, index, length) - partBefore(from, index, length)
        spanned += overlap
        if (start >= from) hasReading = true
        if (rules.maxPerHour !== null && numberAt(values, index) / (length / 3_600_000) > rules.maxPerHour)
          isSuspect = true
      }
      if (spanned === 0) return missingMeterCell(to - from)
      const unread = hasReading ? NONE_UNREAD : ONE_UNREAD
      return { value: tidySum(sum), gapMs: to - from - spanned, unread, isSuspect }
    },
  }
}
