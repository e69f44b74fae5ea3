import { numberAt } from '../kernel/at.ts'
import type { Zone } from './zone.ts'

const MINUTE_MS = 60_000

/** No clock change moves an edge by more than this. */
const MARGIN_MS = 26 * 60 * MINUTE_MS

/** See `windowEdges`. */
export function clockEdges(zone: Zone, step: number, from: number, to: number): number[] {
  const periods = zone.offsetPeriods(from - step - MARGIN_MS, to + step + MARGIN_MS)
  const [only] = periods
  if (only && periods.length === 1) return evenEdges(only.offset, step, from, to)
  const edges: number[] = []
  for (const period of periods) {
    // The first edge of the period is where its wall clock is a multiple of the step.
    const intoStep = positiveModulo(period.from + period.offset, step)
    for (let at = period.from + (intoStep === 0 ? 0 : step - intoStep); at < period.to; at += step)
      edges.push(at)
  }
  return trimTo(edges, from, to)
}

/** Edges over a span without a clock change. */
function evenEdges(offset: number, step: number, from: number, to: number): number[] {
  const edges: number[] = []
  const first = from - positiveModulo(from + offset, step)
  for (let at = first; at < to; at += step) edges.push(at)
  edges.push(first + edges.length * step)
  return edges
}

/** Returns the last edge at or before `from`, the edges in between, and the first at or after `to`. */
function trimTo(edges: number[], from: number, to: number): number[] {
  let start = 0
  while (start + 1 < edges.length && numberAt(edges, start + 1) <= from) start += 1
  let end = start
  while (end < edges.length - 1 && numberAt(edges, end) < to) end += 1
  return edges.slice(start, end + 1)
}

const positiveModulo = (value: number, by: number): number => ((value % by) + by) % by
