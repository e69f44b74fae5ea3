import type { MeasuredMetric } from '../metric/catalogue.ts'
import type { GaugeCell, MeterCell } from '../reading/cell.ts'
import { quartersIn } from '../reading/gauge.ts'
import { round6, type Span } from '../reading/window-value.ts'
import { type CellKind, GAUGE, METER } from './cell-kind.ts'
import type { Block } from './block.ts'
import { type GaugeColumns, readFullGauges, readFullMeters } from './cell-row.ts'
import type { CellSource } from './cells.ts'
import { type Combination, climateSummary, climateWindows, combinationOf, gaugePoint } from './climate.ts'
import type { Contributor } from './contribution.ts'
import { type Figures, NOTHING } from './figures.ts'
import type { Point, Summary } from './point.ts'
import { withKind } from './series-index.ts'
import { meterPoint, utilityWindows } from './utility.ts'

export interface Window {
  point: Point
  figures: Figures
}

/** The windows of a row, all of which have a value, by their place in their block. */
export interface FullWindows {
  values: readonly number[]
  /** Of gauges only: the other figures, those of a meter are its value; and the share of each window that readings span. */
  gauges?: GaugeColumns
  shares?: readonly number[]
}

/** The windows of a single contributor: what differs between meters and gauges. */
export interface WindowKind<C> {
  cells: CellKind<C>
  /** All windows of a block, without a cell for each; undefined for a row that has more to tell than these, which is rare. */
  full(row: Uint8Array, block: Block, members: number): FullWindows | undefined
  /** A window that is over, from all of its cells. */
  closed(span: Span, cells: readonly C[], members: number): Window
  /** Windows of any kind, from rollups and readings. */
  any(source: CellSource, contributor: Contributor, windows: readonly Span[], now: number): Promise<Window[]>
  summary(total: Figures): Summary
}

const ofMeter = (point: Point): Window => {
  const { value } = point
  return { point, figures: value === null ? NOTHING : { count: 1, sum: value, min: value, max: value } }
}

/** Rounded to six decimals, a number below this stays what it is when it is rounded again. */
const MAX_EXACT = 1e9

const METER_WINDOWS: WindowKind<MeterCell> = {
  cells: METER,
  full(row, { places }, members) {
    const cells = readFullMeters(row, members)
    if (!cells || cells.length < (places.at(-1) ?? 0)) return undefined
    const values: number[] = []
    for (let index = 0; index < places.length - 1; index += 1) {
      let sum = 0
      for (let place = places[index] ?? 0; place < (places[index + 1] ?? 0); place += 1)
        sum += cells[place] ?? 0
      if (Math.abs(sum) > MAX_EXACT) return undefined
      values.push(round6(sum))
    }
    return { values }
  },
  closed: (span, cells, members) => ofMeter(meterPoint(span, cells, members)),
  any: async (source, contributor, windows, now) =>
    (await utilityWindows(source, [contributor], windows, now)).map(ofMeter),
  summary: ({ count, sum, min, max }) =>
    count === 0 ? { total: null, min: null, max: null } : { total: round6(sum), min, max },
}

/** Shown as it is. */
const isShort = (extreme = 0): boolean => round6(extreme) === extreme

const gaugeWindows = (combination: Combination): WindowKind<GaugeCell> => ({
  cells: GAUGE,
  full(row, { edges }) {
    const gauges = readFullGauges(row)
    if (!gauges || gauges.counts.length !== edges.length - 1) return undefined
    const { quarters, counts, sums, mins, maxs } = gauges
    const values: number[] = []
    const shares: number[] = []
    for (let index = 0; index < edges.length - 1; index += 1) {
      if (combination === 'added' && !(isShort(mins[index]) && isShort(maxs[index]))) return undefined
      values.push(round6((sums[index] ?? 0) / (counts[index] ?? 1)))
      const span = { from: edges[index] ?? 0, to: edges[index + 1] ?? 0 }
      shares.push((quarters[index] ?? 0) / quartersIn(span))
    }
    return { values, gauges, shares }
  },
  // Hours and days of a gauge are one cell each.
  closed: (span, [cell = NO_CELL]) => ({ point: gaugePoint(span, cell, combination), figures: cell }),
  async any(source, contributor, windows, now) {
    const { points, figures } = await climateWindows(source, [contributor], windows, combination, now)
    return points.map((point, index) => ({ point, figures: figures[index] ?? NOTHING }))
  },
  summary: (total) => climateSummary(total.count === 0 ? [] : [total], combination),
})

const NO_CELL: GaugeCell = { ...NOTHING, quarters: new Uint8Array() }

const POOLED = gaugeWindows('pooled')
const ADDED = gaugeWindows('added')

/** Calls back with the windows that a metric has. */
export function withWindows<R>(metric: MeasuredMetric, run: <C>(kind: WindowKind<C>) => R): R {
  const gauge = combinationOf(metric) === 'added' ? ADDED : POOLED
  return withKind(metric, { meter: () => run(METER_WINDOWS), gauge: () => run(gauge) })
}
