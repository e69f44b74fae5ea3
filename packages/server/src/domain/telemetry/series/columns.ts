import type { TimeSpan, Windows } from '../../../calendar/interval.ts'
import { at } from '../../../kernel/at.ts'
import { QUALITIES, type Quality, round4, worstQuality } from '../reading/window-value.ts'
import type { Point, Summary } from './point.ts'

export type Column = ArrayLike<number>

const MINUTE_MS = 60_000

/** Windows of one series, one column per quantity. NaN is a missing value, which the API returns as null. */
export interface Columns {
  values: Column
  /** Gauges only. */
  mins?: Column
  maxs?: Column
  /** Number and sum of the values that a summary is computed from. */
  counts: Column
  sums: Column
  coverage: Column
  /** Index into `QUALITIES`. */
  quality: Column
  /** Performance: the score of each utility. Carbon: the emissions of each utility that was measured. */
  components?: readonly (Record<string, number> | undefined)[]
}

/** Consecutive windows. */
export interface SeriesColumns extends Columns {
  windows: Windows
}

/** Columns while windows are added to them. */
export interface MeterColumns extends Columns {
  values: number[]
  counts: number[]
  sums: number[]
  coverage: number[]
  quality: number[]
}

export interface GaugeColumns extends MeterColumns {
  mins: number[]
  maxs: number[]
}

export const [MEASURED, ESTIMATED, PARTIAL, SUSPECT, MISSING] = [
  QUALITIES.indexOf('measured'),
  QUALITIES.indexOf('estimated'),
  QUALITIES.indexOf('partial'),
  QUALITIES.indexOf('suspect'),
  QUALITIES.indexOf('missing'),
]

export const toQualityIndex = (quality: Quality): number => QUALITIES.indexOf(quality)

/** The summary of a meter is computed from the values themselves, so `sums` and `values` share a column. */
export function createMeterColumns(): MeterColumns {
  const values: number[] = []
  return { values, counts: [], sums: values, coverage: [], quality: [] }
}

export const createGaugeColumns = (): GaugeColumns => ({
  values: [],
  mins: [],
  maxs: [],
  counts: [],
  sums: [],
  coverage: [],
  quality: [],
})

export function addMeterWindow(
  { values, counts, coverage, quality }: MeterColumns,
  value: number,
  ownQuality: number,
  ownCoverage: number,
): void {
  values.push(value)
  counts.push(1)
  coverage.push(ownCoverage)
  quality.push(ownQuality)
}

export function addMissingMeterWindow({ values, counts, coverage, quality }: MeterColumns): void {
  values.push(Number.NaN)
  counts.push(0)
  coverage.push(0)
  quality.push(MISSING)
}

export function addMissingGaugeWindow(columns: GaugeColumns): void {
  addMissingMeterWindow(columns)
  columns.sums.push(0)
  columns.mins.push(Number.NaN)
  columns.maxs.push(Number.NaN)
}

/**
 * No data covers the future: a window that has not ended is partial, even if its newest delta or the validity of its
 * newest reading extends beyond now. Its coverage grows in steps of a minute, so that it does not change with every
 * request.
 */
export function capAtNow(
  { values, coverage, quality }: MeterColumns,
  windows: readonly TimeSpan[],
  now: number,
): void {
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS
  for (let index = 0; index < windows.length; index += 1) {
    const { from, to } = at(windows, index)
    if (to <= now || Number.isNaN(at(values, index))) continue
    quality[index] = toQualityIndex(worstQuality(at(QUALITIES, at(quality, index)), 'partial'))
    coverage[index] = Math.min(at(coverage, index), round4(Math.max(0, minute - from) / (to - from)))
  }
}

/** The values that insights use: NaN where a window is missing or suspect. */
export const trustedValues = ({ values, quality }: Columns): number[] =>
  Array.from(values, (value, index) => (quality[index] === SUSPECT ? Number.NaN : value))

/** Converts a missing value, NaN, to null. */
export const toValue = (value = Number.NaN): number | null => (Number.isNaN(value) ? null : value)

/** Converts windows to objects, for callers that need only a few of them. */
export function toPoints({ windows, ...columns }: SeriesColumns): Point[] {
  return Array.from(windows, ({ from }, index) => toPoint(from, columns, index))
}

function toPoint(start: number, columns: Columns, index: number): Point {
  const { values, mins, maxs, coverage, quality, components } = columns
  const value = at(values, index)
  const shown = { quality: at(QUALITIES, at(quality, index)), coverage: at(coverage, index) }
  if (Number.isNaN(value)) return { at: start, value: null, ...shown }
  const own = components?.[index]
  return {
    at: start,
    value,
    ...(mins && maxs ? { min: at(mins, index), max: at(maxs, index) } : {}),
    ...shown,
    ...(own ? { components: own } : {}),
  }
}

export function fromPoints(windows: Windows, points: readonly Point[]): SeriesColumns {
  const columns = createMeterColumns()
  for (const { value, quality, coverage } of points)
    if (value === null) addMissingMeterWindow(columns)
    else addMeterWindow(columns, value, toQualityIndex(quality), coverage)
  return { windows, ...columns, components: points.map(({ components }) => components) }
}

export interface Series {
  columns: SeriesColumns
  summary: Summary
  /** Emissions only: whether they were computed from any synthetic intensity. */
  isSynthetic?: boolean
}
