import { FIGURES, type Fragment } from './fragment.ts'
import type { Figures } from './figures.ts'

/** What windows that follow each other have measured in all: `join` over fragments, without an object for each window. */
export interface Tally {
  /** The windows of a fragment from one to another. */
  addAll(fragment: Fragment, from: number, to: number): void
  total(): Figures
}

export function createTally(): Tally {
  let [count, sum] = [0, 0]
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]

  const put = (ownCount: number, ownSum: number, ownMin: number, ownMax: number): void => {
    if (ownCount === 0) return
    count += ownCount
    sum += ownSum
    min = Math.min(min, ownMin)
    max = Math.max(max, ownMax)
  }

  return {
    addAll({ figures }, from, to) {
      for (let at = from * FIGURES; at < to * FIGURES; at += FIGURES)
        put(figures[at] ?? 0, figures[at + 1] ?? 0, figures[at + 2] ?? 0, figures[at + 3] ?? 0)
    },
    total: () => ({ count, sum, min, max }),
  }
}
