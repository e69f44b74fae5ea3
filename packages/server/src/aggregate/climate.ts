import { type GaugeCell, NO_GAUGE } from '../reading/cell.ts'
import { markQuarters, QUARTER_MS, quartersIn } from '../reading/gauge.ts'
import { round4, round6, type Span } from '../reading/window-value.ts'
import { GAUGE } from './cell-kind.ts'
import type { CellSource } from './cells.ts'
import { type Contributor, contributionsOf } from './contribution.ts'
import { missingPoint, type Point, type Series } from './point.ts'
import { cutAtNow, spansOf } from './utility.ts'

/** `pooled`: the plain mean of all readings. `added`: the devices' means are summed, as people in a room are. */
export type Combination = 'pooled' | 'added'

type Figures = Omit<GaugeCell, 'quarters'>

const NOTHING: Figures = NO_GAUGE

export async function climateSeries(
  source: CellSource,
  contributors: readonly Contributor[],
  edges: readonly number[],
  combination: Combination,
  now: number,
): Promise<Series> {
  const windows = spansOf(edges)
  const seen = windows.map((window) => new Uint8Array(quartersIn(window)))
  /** By window, then by sensor. */
  const figures: Figures[][] = windows.map(() => [])
  const totals: Figures[] = []
  /** Several stays of one device are one sensor. */
  const sensors = new Map<number | undefined, Figures[]>()
  for await (const { contributor, said } of contributionsOf(source, GAUGE, contributors, windows)) {
    const own = sensors.get(contributor.seriesId) ?? windows.map(() => NOTHING)
    sensors.set(contributor.seriesId, own)
    said.forEach((one, index) => {
      const window = windows[index]
      const flags = seen[index]
      if (!one || !window || !flags) return
      own[index] = one.cells.reduce(join, own[index] ?? NOTHING)
      const first = Math.floor(window.from / QUARTER_MS)
      one.cells.forEach((cell, place) => markQuarters(flags, first, cell, one.units[place]?.from ?? 0))
    })
  }
  for (const own of sensors.values()) {
    own.forEach((figure, index) => {
      if (figure.count > 0) figures[index]?.push(figure)
    })
    const total = own.reduce(join, NOTHING)
    if (total.count > 0) totals.push(total)
  }
  const points = windows.map((window, index) =>
    pointOf(window, figures[index] ?? [], seen[index] ?? NO_GAUGE.quarters, combination, now),
  )
  if (totals.length === 0) return { points, summary: { mean: null, min: null, max: null } }
  const { value, min, max } = combine(totals, combination)
  return { points, summary: { mean: value, min, max } }
}

function pointOf(
  window: Span,
  figures: readonly Figures[],
  seen: Uint8Array,
  combination: Combination,
  now: number,
): Point {
  if (figures.length === 0) return missingPoint(window.from)
  let quarters = 0
  for (const isSeen of seen) quarters += isSeen
  const coverage = Math.min(1, round4(quarters / seen.length))
  const quality = quarters < seen.length ? 'partial' : 'measured'
  return cutAtNow({ at: window.from, ...combine(figures, combination), quality, coverage }, window, now)
}

function join(a: Figures, b: Figures): Figures {
  if (a.count === 0) return b
  if (b.count === 0) return a
  return {
    count: a.count + b.count,
    sum: a.sum + b.sum,
    min: Math.min(a.min, b.min),
    max: Math.max(a.max, b.max),
  }
}

function combine(
  figures: readonly Figures[],
  combination: Combination,
): { value: number; min: number; max: number } {
  const total = (pick: (figure: Figures) => number): number =>
    figures.reduce((sum, figure) => sum + pick(figure), 0)
  if (combination === 'added') {
    return {
      value: round6(total(({ sum, count }) => sum / count)),
      min: round6(total(({ min }) => min)),
      max: round6(total(({ max }) => max)),
    }
  }
  return {
    value: round6(total(({ sum }) => sum) / total(({ count }) => count)),
    min: Math.min(...figures.map(({ min }) => min)),
    max: Math.max(...figures.map(({ max }) => max)),
  }
}
