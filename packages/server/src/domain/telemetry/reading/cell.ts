import { byteAt } from '../../../kernel/at.ts'
import { round6, type WindowValue } from './window-value.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'

/**
 * The count of one or several meters in a span. Cells add up: consecutive spans to a longer one, and several meters to a
 * space. Rollups consist of cells.
 */
export interface MeterCell {
  /** Null if nothing was measured. */
  value: number | null
  /** Milliseconds that the data does not cover, summed over the meters. */
  gapMs: number
  /** Indexes of the meters without a reading in the span, whose value is interpolated. */
  unread: readonly number[]
  isSuspect: boolean
}

/** One meter's readings, prepared to compute its count in any span. */
export interface MeterReadings {
  cell(span: TimeSpan): MeterCell
}

export const NONE_UNREAD: readonly number[] = []
export const ONE_UNREAD: readonly number[] = [0]

export const missingMeterCell = (lengthMs: number): MeterCell => ({
  value: null,
  gapMs: lengthMs,
  unread: ONE_UNREAD,
  isSuspect: false,
})

/** Joins cells of the same meters over consecutive spans. */
export function joinMeterCells(cells: readonly MeterCell[]): MeterCell {
  const [first] = cells
  if (first && cells.length === 1) return first
  let sum = 0
  let isMeasured = false
  let gapMs = 0
  let unread = first?.unread ?? NONE_UNREAD
  let isSuspect = false
  for (const cell of cells) {
    if (cell.value !== null) {
      sum += cell.value
      isMeasured = true
    }
    gapMs += cell.gapMs
    if (unread.length > 0 && unread !== cell.unread) {
      const also = cell.unread
      unread = also.length === 0 ? NONE_UNREAD : unread.filter((meter) => also.includes(meter))
    }
    isSuspect ||= cell.isSuspect
  }
  return { value: isMeasured ? tidySum(sum) : null, gapMs, unread, isSuspect }
}

/** Adds the cells of several meters, one each, over the same span. */
export function addMeterCells(cells: readonly MeterCell[]): MeterCell {
  const values = cells.flatMap(({ value }) => value ?? [])
  return {
    value: values.length === 0 ? null : tidySum(values.reduce((sum, value) => sum + value, 0)),
    gapMs: cells.reduce((sum, { gapMs }) => sum + gapMs, 0),
    unread: cells.flatMap(({ unread }, meter) => (unread.length > 0 ? meter : [])),
    isSuspect: cells.some(({ isSuspect }) => isSuspect),
  }
}

/** The window value of the cell of some meters. */
export function meterWindow(cell: MeterCell, meters: number, lengthMs: number): WindowValue {
  const { gapMs } = cell
  if (cell.value === null) return { value: null, quality: 'missing', coverage: 0 }
  const value = round6(cell.value)
  const coverage = 1 - gapMs / (meters * lengthMs)
  if (cell.isSuspect) return { value, quality: 'suspect', coverage }
  if (gapMs > 0) return { value, quality: 'partial', coverage }
  return { value, quality: cell.unread.length > 0 ? 'estimated' : 'measured', coverage }
}

/** Statistics of one or several gauges in a span, which can be pooled over devices and time. */
export interface GaugeCell {
  count: number
  sum: number
  min: number
  max: number
  /** A bit for each quarter hour with a reading, counted from the quarter hour in which the span begins. */
  quarters: Uint8Array
}

export const NO_GAUGE: GaugeCell = {
  count: 0,
  sum: 0,
  min: Number.POSITIVE_INFINITY,
  max: Number.NEGATIVE_INFINITY,
  quarters: new Uint8Array(),
}

/** Pools the cells of several gauges over the same span. */
export function addGaugeCells(cells: readonly GaugeCell[]): GaugeCell {
  const spoken = cells.filter(({ count }) => count > 0)
  const [first] = spoken
  if (!first) return NO_GAUGE
  if (spoken.length === 1) return first
  const quarters = new Uint8Array(Math.max(...spoken.map((cell) => cell.quarters.length)))
  for (const cell of spoken)
    cell.quarters.forEach((bits, index) => (quarters[index] = byteAt(quarters, index) | bits))
  return {
    count: spoken.reduce((count, cell) => count + cell.count, 0),
    sum: tidySum(spoken.reduce((sum, cell) => sum + cell.sum, 0)),
    min: Math.min(...spoken.map(({ min }) => min)),
    max: Math.max(...spoken.map(({ max }) => max)),
    quarters,
  }
}

/** Removes the floating-point error from a sum of short decimals, so that it packs well. */
export function tidySum(sum: number): number {
  const short = round6(sum)
  return Math.abs(short - sum) <= 1e-9 * Math.max(1, Math.abs(sum)) ? short : sum
}
