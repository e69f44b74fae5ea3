import { firstAfter } from './delta.ts'
import type { Readings } from './packed-day.ts'
import type { Span } from './window-value.ts'

/** The readings in a span. */
export const cutWithin = (readings: Readings, { from, to }: Span): Readings =>
  cut(readings, firstAfter(readings.timestamps, from), firstAfter(readings.timestamps, to))

/** The readings in a span, and the last before and the first after it. */
export function cutAround(readings: Readings, { from, to }: Span): Readings {
  const { timestamps } = readings
  const inside = firstAfter(timestamps, from)
  const start = timestamps[inside] === from ? inside : Math.max(0, inside - 1)
  return cut(readings, start, firstAfter(timestamps, to) + 1)
}

const cut = (readings: Readings, start: number, end: number): Readings =>
  start === 0 && end >= readings.timestamps.length
    ? readings
    : { timestamps: readings.timestamps.slice(start, end), values: readings.values.slice(start, end) }
