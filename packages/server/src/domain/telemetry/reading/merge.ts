import { numberAt } from '../../../kernel/at.ts'
import type { Readings } from './packed-day.ts'

/** Merges two lists ordered by time; for an instant in both, the newer list takes precedence. */
export function mergeReadings(older: Readings, newer: Readings): Readings {
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
