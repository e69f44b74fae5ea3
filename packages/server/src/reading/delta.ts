import type { Readings } from './packed-day.ts'
import { MISSING, round4, round6, type Span, type WindowValue } from './window-value.ts'

const HALF_HOUR_MS = 30 * 60_000
const DAY_MS = 86_400_000

/**
 * Consumption from interval deltas. A delta stands for the interval that starts at its timestamp and is as long as the
 * shorter of the distances to its neighbours: the meter's own step, also beside a gap. It is spread evenly over it, so
 * that a window shorter than the step gets its share and longer ones get whole deltas.
 */
export function readDeltas({ timestamps, values }: Readings, rules: { maxPerHour: number | null }) {
  const count = timestamps.length
  const time = (index: number): number => timestamps[index] ?? 0

  const lengthOf = (index: number): number => {
    const toNext = index < count - 1 ? time(index + 1) - time(index) : Number.POSITIVE_INFINITY
    const fromPrevious = index > 0 ? time(index) - time(index - 1) : Number.POSITIVE_INFINITY
    const length = Math.min(toNext, fromPrevious)
    return Number.isFinite(length) ? Math.min(length, DAY_MS) : HALF_HOUR_MS
  }

  return {
    consumption(span: Span): WindowValue {
      let sum = 0
      let spanned = 0
      let hasReading = false
      let isSuspect = false
      for (
        let index = firstAfter(timestamps, span.from - DAY_MS);
        index < count && time(index) < span.to;
        index += 1
      ) {
        const start = time(index)
        const length = lengthOf(index)
        const overlap = Math.min(span.to, start + length) - Math.max(span.from, start)
        if (overlap <= 0) continue
        const value = values[index] ?? 0
        sum += value * (overlap / length)
        spanned += overlap
        if (start >= span.from) hasReading = true
        if (rules.maxPerHour !== null && value / (length / 3_600_000) > rules.maxPerHour) isSuspect = true
      }
      if (spanned === 0) return MISSING
      const coverage = Math.min(1, spanned / (span.to - span.from))
      const value = round6(sum)
      if (isSuspect) return { value, quality: 'suspect', coverage: round4(coverage) }
      if (coverage < 1) return { value, quality: 'partial', coverage: round4(coverage) }
      return { value, quality: hasReading ? 'measured' : 'estimated', coverage: 1 }
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
