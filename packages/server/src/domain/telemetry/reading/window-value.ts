/** Reliability of a window's value, from best to worst; `missing` if there is none. */
export const QUALITIES = ['measured', 'estimated', 'partial', 'suspect', 'missing'] as const

export type Quality = (typeof QUALITIES)[number]

/** What one series contributes to one window. */
export interface WindowValue {
  /** Null if nothing was measured; 0 is a measured value. */
  value: number | null
  quality: Quality
  /** Share of the window, or of the device's time in it, that the data covers: 0..1. */
  coverage: number
}

/** Rounds to six decimals, the precision of the API. */
export const round6 = (value: number): number => Math.round(value * 1e6) / 1e6

export const round4 = (value: number): number => Math.round(value * 1e4) / 1e4

export const worstQuality = (a: Quality, b: Quality): Quality =>
  a === b || QUALITIES.indexOf(a) > QUALITIES.indexOf(b) ? a : b
