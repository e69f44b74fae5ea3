import { type MeterCell, missingMeterCell, NONE_UNREAD, ONE_UNREAD } from './cell.ts'
import type { MeterReadings } from './meter.ts'
import type { Readings } from './packed-day.ts'
import { round6 } from './window-value.ts'

const HALF_HOUR_MS = 30 * 60_000

/** No delta stands for more than this. */
export const LONGEST_DELTA_MS = 86_400_000

/**
 * Consumption from interval deltas. A delta stands for the interval that starts at its timestamp and is as long as the
 * shorter of the distances to its neighbours: the meter's own step, also beside a gap. It is spread evenly over it, so
 * that a window shorter than the step gets its share and longer ones get whole deltas.
 */
export function readDeltas(
  { timestamps, values }: Readings,
  rules: { maxPerHour: number | null },
): MeterReadings {
  const count = timestamps.length
  const time = (index: number): number => timestamps[index] ?? 0

  const lengthOf = (index: number): number => {
    const toNext = index < count - 1 ? time(index + 1) - time(index) : Number.POSITIVE_INFINITY
    const fromPrevious = index > 0 ? time(index) - time(index - 1) : Number.POSITIVE_INFINITY
    const length = Math.min(toNext, fromPrevious)
    return Number.isFinite(length) ? Math.min(length, LONGEST_DELTA_MS) : HALF_HOUR_MS
  }

  /** What fell between two instants. Always added up from the same start, so that the last digit never depends on who asks. */
  const sumBetween = (from: number, to: number): number => {
    let sum = 0
    for (
      let index = firstAfter(timestamps, from - LONGEST_DELTA_MS);
      index < count && time(index) < to;
      index += 1
    ) {
      const start = time(index)
      const length = lengthOf(index)
      const overlap = Math.min(to, start + length) - Math.max(from, start)
      if (overlap > 0) sum += (values[index] ?? 0) * (overlap / length)
    }
    return sum
  }

  return {
    /** Rounded at the edges, seen from the day's start: shown windows then add up to the day. */
    cell({ from, to }, dayStart): MeterCell {
      let spanned = 0
      let hasReading = false
      let isSuspect = false
      for (
        let index = firstAfter(timestamps, from - LONGEST_DELTA_MS);
        index < count && time(index) < to;
        index += 1
      ) {
        const start = time(index)
        const length = lengthOf(index)
        const overlap = Math.min(to, start + length) - Math.max(from, start)
        if (overlap <= 0) continue
        spanned += overlap
        if (start >= from) hasReading = true
        if (rules.maxPerHour !== null && (values[index] ?? 0) / (length / 3_600_000) > rules.maxPerHour)
          isSuspect = true
      }
      if (spanned === 0) return missingMeterCell(to - from)
      const before = from === dayStart ? 0 : round6(sumBetween(dayStart, from))
      const value = round6(round6(sumBetween(dayStart, to)) - before)
      return { value, gapMs: to - from - spanned, unread: hasReading ? NONE_UNREAD : ONE_UNREAD, isSuspect }
    },
  }
}

/** Index of the first timestamp at or after `at`. */
export function firstAfter(timestamps: readonly number[], at: number): number {
  let low = 0
  let high = timestamps.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((timestamps[middle] ?? 0) < at) low = middle + 1
    else high = middle
  }
  return low
}
