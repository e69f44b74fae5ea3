import type { Quality } from '../reading/window-value.ts'

/** One window of a series as an object. */
export interface Point {
  /** The window's start. */
  at: number
  value: number | null
  /** Gauges only. */
  min?: number
  max?: number
  quality: Quality
  coverage: number
  /** Performance: the score of each utility. Carbon: the emissions of each utility that was measured. */
  components?: Record<string, number>
}

export interface Summary {
  /** Utilities and carbon. */
  total?: number | null
  /** The part of the total that is in suspect windows; absent if it is 0. */
  suspectTotal?: number
  /** Environment and performance. */
  mean?: number | null
  min: number | null
  max: number | null
  /** Carbon only: the emissions of each utility that was measured. */
  components?: Record<string, number>
  comparison?: Comparison
}

export interface Comparison {
  value: number | null
  changePercent: number | null
  percentile?: number | null
  /** Share of the base that data covers: 0..1. */
  coverage: number
}

export const missingPoint = (at: number): Point => ({ at, value: null, quality: 'missing', coverage: 0 })
