import { numberAt } from './at.ts'

/** Index of the first timestamp at or after `at`. */
export function lowerBound(timestamps: ArrayLike<number>, at: number): number {
  let low = 0
  let high = timestamps.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (numberAt(timestamps, middle) < at) low = middle + 1
    else high = middle
  }
  return low
}
