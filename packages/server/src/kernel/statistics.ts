import { at } from './at.ts'

export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = Float64Array.from(values).toSorted()
  const middle = sorted.length >> 1
  const upper = at(sorted, middle)
  return sorted.length % 2 === 1 ? upper : (at(sorted, middle - 1) + upper) / 2
}
