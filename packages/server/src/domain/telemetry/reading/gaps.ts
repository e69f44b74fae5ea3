import { numberAt } from '../../../kernel/at.ts'

/** Spans as a flat list of starts and ends, in ascending order and without overlaps. */
export type Gaps = readonly number[]

/** The spans that are in both lists. */
export function intersectGaps(a: Gaps, b: Gaps): Gaps {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? a : b
  const both: number[] = []
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const from = Math.max(numberAt(a, i), numberAt(b, j))
    const to = Math.min(numberAt(a, i + 1), numberAt(b, j + 1))
    if (from < to) both.push(from, to)
    if (numberAt(a, i + 1) < numberAt(b, j + 1)) i += 2
    else j += 2
  }
  return both
}

/** Total length of the spans, up to an end. */
export function sumGaps(gaps: Gaps, end: number): number {
  let sum = 0
  for (let index = 0; index < gaps.length; index += 2) {
    const from = numberAt(gaps, index)
    if (from < end) sum += Math.min(end, numberAt(gaps, index + 1)) - from
  }
  return sum
}

/** Appends the part of a span after the end of the list; joins it with the last span if they touch. */
export function pushGap(gaps: number[], from: number, to: number): void {
  if (from >= to) return
  if (gaps.length > 0 && gaps.at(-1) === from) gaps[gaps.length - 1] = to
  else gaps.push(from, to)
}
