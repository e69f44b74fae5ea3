import { type GaugeCell, NO_GAUGE } from '../reading/cell.ts'

/** What the summary of a series is made of: what was measured in some windows, in a form that adds up. */
export type Figures = Omit<GaugeCell, 'quarters'>

export const NOTHING: Figures = NO_GAUGE

/** In a list each window has so many, in this order: count, sum, min, max. */
export const FIGURES = 4

/** Windows that follow each other, or stays of one device. */
export function join(a: Figures, b: Figures): Figures {
  if (a.count === 0) return b
  if (b.count === 0) return a
  return {
    count: a.count + b.count,
    sum: a.sum + b.sum,
    min: Math.min(a.min, b.min),
    max: Math.max(a.max, b.max),
  }
}
