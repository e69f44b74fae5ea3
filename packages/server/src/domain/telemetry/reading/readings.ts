import { lowerBound } from '../../../kernel/binary-search.ts'
import type { ReadingLists, Readings } from './packed-day.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'
import { numberAt } from '../../../kernel/at.ts'

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

/** The last `count` readings. */
export const sliceLast = (readings: Readings, count: number): Readings =>
  cut(readings, Math.max(0, readings.timestamps.length - count), readings.timestamps.length)

const cut = (readings: Readings, start: number, end: number): Readings =>
  start === 0 && end >= readings.timestamps.length
    ? readings
    : { timestamps: readings.timestamps.slice(start, end), values: readings.values.slice(start, end) }

/** Merges two lists ordered by time; for an instant in both, the newer list takes precedence. */
export function mergeReadings(older: Readings, newer: ReadingLists): Readings {
  const timestamps: number[] = []
  const values: number[] = []
  let a = 0
  let b = 0
  while (a < older.timestamps.length || b < newer.timestamps.length) {
    const left = older.timestamps[a] ?? Number.POSITIVE_INFINITY
    const right = newer.timestamps[b] ?? Number.POSITIVE_INFINITY
    const isNewer = right <= left
    timestamps.push(isNewer ? right : left)
    values.push(isNewer ? numberAt(newer.values, b) : numberAt(older.values, a))
    if (left <= right) a += 1
    if (isNewer) b += 1
  }
  return { timestamps, values }
}
