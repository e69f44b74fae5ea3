import { type GaugeCell, NO_GAUGE } from '../reading/cell.ts'
import { countQuarters, markQuarters, QUARTER_MS, quartersIn } from '../reading/gauge.ts'
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
  /** A flag for each quarter hour of each window; those of a window begin at its place in `starts`. */
  const starts = [0]
  for (const [index, window] of windows.entries()) starts.push((starts[index] ?? 0) + quartersIn(window))
  const seen = new Uint8Array(starts.at(-1) ?? 0)
  /** How many there are in a window of one cell, where none can be seen twice. */
  const alone: number[] = []
  /** By window, then by sensor. */
  const figures: Figures[][] = windows.map(() => [])
  const totals: Figures[] = []
  /** Several stays of one device are one sensor. */
  const sensors = new Map<number | undefined, Figures[]>()
  for await (const { contributor, said } of contributionsOf(source, GAUGE, contributors, windows)) {
    const own = sensors.get(contributor.seriesId) ?? windows.map(() => NOTHING)
    sensors.set(contributor.seriesId, own)
    for (const [index, window] of windows.entries()) {
      const one = said[index]
      if (!one) continue
      const [only] = one.cells
      if (only && one.cells.length === 1 && contributors.length === 1) {
        own[index] = only
        alone[index] = countQuarters(only)
        continue
      }
      const first = Math.floor(window.from / QUARTER_MS) - (starts[index] ?? 0)
      for (const [place, cell] of one.cells.entries()) {
        own[index] = join(own[index] ?? NOTHING, cell)
        markQuarters(seen, first, cell, one.units[place]?.from ?? 0)
      }
    }
  }
  for (const own of sensors.values()) {
    let total = NOTHING
    for (const [index, figure] of own.entries()) {
      if (figure.count === 0) continue
      figures[index]?.push(figure)
      total = join(total, figure)
    }
    if (total.count > 0) totals.push(total)
  }
  const points = windows.map((window, index) => {
    const [start, end] = [starts[index] ?? 0, starts[index + 1] ?? 0]
    let quarters = alone[index] ?? 0
    if (quarters === 0) for (let quarter = start; quarter < end; quarter += 1) quarters += seen[quarter] ?? 0
    return pointOf(window, figures[index] ?? [], quarters / (end - start), combination, now)
  })
  if (totals.length === 0) return { points, summary: { mean: null, min: null, max: null } }
  const { value, min, max } = combine(totals, combination)
  return { points, summary: { mean: value, min, max } }
}

function pointOf(
  window: Span,
  figures: readonly Figures[],
  covered: number,
  combination: Combination,
  now: number,
): Point {
  if (figures.length === 0) return missingPoint(window.from)
  const coverage = round4(covered)
  const quality = covered < 1 ? 'partial' : 'measured'
  const { value, min, max } = combine(figures, combination)
  return cutAtNow({ at: window.from, value, min, max, quality, coverage }, window, now)
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
  let [means, sum, count] = [0, 0, 0]
  let [mins, maxs] = [0, 0]
  let { min: least, max: most } = NOTHING
  for (const figure of figures) {
    means += figure.sum / figure.count
    sum += figure.sum
    count += figure.count
    mins += figure.min
    maxs += figure.max
    least = Math.min(least, figure.min)
    most = Math.max(most, figure.max)
  }
  return combination === 'added'
    ? { value: round6(means), min: round6(mins), max: round6(maxs) }
    : { value: round6(sum / count), min: least, max: most }
}
