import { lowerBound } from '../../../kernel/binary-search.ts'
import type { Readings } from './packed-day.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'

/** The readings in a span. */
export const sliceWithin = (readings: Readings, { from, to }: TimeSpan): Readings =>
  cut(readings, lowerBound(readings.timestamps, from), lowerBound(readings.timestamps, to))

/** The readings in a span, the last one before it and the first one after it. */
export function sliceAround(readings: Readings, { from, to }: TimeSpan): Readings {
  const { timestamps } = readings
  const inside = lowerBound(timestamps, from)
  const start = timestamps[inside] === from ? inside : Math.max(0, inside - 1)
  return cut(readings, start, lowerBound(timestamps, to) + 1)
}

const cut = (readings: Readings, start: number, end: number): Readings =>
  start === 0 && end >= readings.timestamps.length
    ? readings
    : { timestamps: readings.timestamps.slice(start, end), values: readings.values.slice(start, end) }
