import type { MeasuredMetric } from '../metric/catalogue.ts'
import type { GaugeCell, MeterCell } from '../reading/cell.ts'
import { round6, type Span } from '../reading/window-value.ts'
import { type CellKind, GAUGE, METER } from './cell-kind.ts'
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

/** The windows of a single contributor: what differs between meters and gauges. */
export interface WindowKind<C> {
  cells: CellKind<C>
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

const METER_WINDOWS: WindowKind<MeterCell> = {
  cells: METER,
  closed: (span, cells, members) => ofMeter(meterPoint(span, cells, members)),
  any: async (source, contributor, windows, now) =>
    (await utilityWindows(source, [contributor], windows, now)).map(ofMeter),
  summary: ({ count, sum, min, max }) =>
    count === 0 ? { total: null, min: null, max: null } : { total: round6(sum), min, max },
}

const gaugeWindows = (combination: Combination): WindowKind<GaugeCell> => ({
  cells: GAUGE,
  // Hours and days of a gauge are one cell each.
  closed: (span, [cell = NO_CELL]) => ({ point: gaugePoint(span, cell, combination), figures: cell }),
  async any(source, contributor, windows, now) {
    const { points, sensors } = await climateWindows(source, [contributor], windows, combination, now)
    return points.map((point, index) => ({ point, figures: sensors[0]?.[index] ?? NOTHING }))
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
