/** How far a window's value can be trusted, from best to worst; `missing` where there is none. */
export const QUALITIES = ['measured', 'estimated', 'partial', 'suspect', 'missing'] as const

export type Quality = (typeof QUALITIES)[number]

/** What one series contributes to one window. */
export interface WindowValue {
  /** Null when nothing was measured; 0 was measured. */
  value: number | null
  quality: Quality
  /** Share of the window, or of the device's time in it, that the data spans: 0..1. */
  coverage: number
}

/** At most six decimals, the finest the API shows. */
export const round6 = (value: number): number => Math.round(value * 1e6) / 1e6

export const round4 = (value: number): number => Math.round(value * 1e4) / 1e4

export const worstQuality = (a: Quality, b: Quality): Quality =>
  a === b || QUALITIES.indexOf(a) > QUALITIES.indexOf(b) ? a : b
