import type { MeasuredMetric } from '../metric/catalogue.ts'
import type { GaugeCell } from '../reading/cell.ts'
import { countQuarters, markQuarters, QUARTER_MS, quartersIn } from '../reading/gauge.ts'
import { round4, round6, type Span } from '../reading/window-value.ts'
import { GAUGE } from './cell-kind.ts'
import type { CellSource } from './cells.ts'
import { type Contributor, contributionsOf } from './contribution.ts'
import { type Figures, join, NOTHING } from './figures.ts'
import { missingPoint, type Point, type Series, type Summary } from './point.ts'
import { cutAtNow, spansOf } from './utility.ts'

/** `pooled`: the plain mean of all readings. `added`: the devices' means are summed, as people in a room are. */
export type Combination = 'pooled' | 'added'

/** People are added over devices, so the devices must be told apart. */
export const combinationOf = (metric: MeasuredMetric): Combination =>
  metric === 'occupancy' ? 'added' : 'pooled'

export async function climateSeries(
  source: CellSource,
  contributors: readonly Contributor[],
  edges: readonly number[],
  combination: Combination,
  now: number,
): Promise<Series> {
  const { points, sensors } = await climateWindows(source, contributors, spansOf(edges), combination, now)
  const totals = sensors.map((own) => own.reduce(join, NOTHING)).filter(({ count }) => count > 0)
  return { points, summary: climateSummary(totals, combination) }
}

interface ClimateWindows {
  points: Point[]
  /** By sensor, then by window. */
  sensors: Figures[][]
}

export async function climateWindows(
  source: CellSource,
  contributors: readonly Contributor[],
  windows: readonly Span[],
  combination: Combination,
  now: number,
): Promise<ClimateWindows> {
  /** A flag for each quarter hour of each window; those of a window begin at its place in `starts`. */
  const starts = [0]
  for (const [index, window] of windows.entries()) starts.push((starts[index] ?? 0) + quartersIn(window))
  const seen = new Uint8Array(starts.at(-1) ?? 0)
  /** How many there are in a window of one cell, where none can be seen twice. */
  const alone: number[] = []
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
  const bySensor = [...sensors.values()]
  const points = windows.map((window, index) => {
    const [start, end] = [starts[index] ?? 0, starts[index + 1] ?? 0]
    let quarters = alone[index] ?? 0
    if (quarters === 0) for (let quarter = start; quarter < end; quarter += 1) quarters += seen[quarter] ?? 0
    const figures = bySensor.flatMap((own) => own[index] ?? [])
    return pointOf(window, figures, quarters / (end - start), combination, now)
  })
  return { points, sensors: bySensor }
}

/** A window that one sensor was there for, and that is over. */
export const gaugePoint = (window: Span, cell: GaugeCell, combination: Combination): Point =>
  pointOf(window, [cell], countQuarters(cell) / quartersIn(window), combination, window.to)

/** Of each sensor what it measured in all windows together. */
export function climateSummary(totals: readonly Figures[], combination: Combination): Summary {
  if (totals.length === 0) return { mean: null, min: null, max: null }
  const { value, min, max } = combine(totals, combination)
  return { mean: value, min, max }
}

function pointOf(
  window: Span,
  sensors: readonly Figures[],
  covered: number,
  combination: Combination,
  now: number,
): Point {
  const figures = sensors.filter(({ count }) => count > 0)
  if (figures.length === 0) return missingPoint(window.from)
  const { value, min, max } = combine(figures, combination)
  return cutAtNow({ at: window.from, value, min, max, ...spannedBy(covered) }, window, now)
}

/** What is said of a window with readings in a share of its quarter hours. */
export const spannedBy = (share: number): Pick<Point, 'quality' | 'coverage'> => ({
  quality: share < 1 ? 'partial' : 'measured',
  coverage: round4(share),
})

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
