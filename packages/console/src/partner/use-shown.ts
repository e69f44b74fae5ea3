import { useState } from 'preact/hooks'

const STEP_ROWS = 200

/** The first rows of an answer that is not paged, and more on demand. */
export function useShown<T>(rows: readonly T[]): { shown: readonly T[]; loadMore: (() => void) | undefined } {
  const [count, setCount] = useState(STEP_ROWS)
  return {
    shown: rows.slice(0, count),
    loadMore: rows.length > count ? () => setCount(count + STEP_ROWS) : undefined,
  }
}
