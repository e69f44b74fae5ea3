import { at } from '../../../kernel/at.ts'
import { intersectGaps } from './gaps.ts'
import { round6, type WindowValue } from './window-value.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'

/**
 * The count of one or several meters in a span. Cells add up: consecutive spans to a longer one, and several meters to
 * a space. Rollups consist of cells.
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

/** Joins cells of the same meters over consecutive spans: those of a list from `start` up to `end`. */
export function joinMeterCells(cells: readonly MeterCell[], start = 0, end = cells.length): MeterCell {
  const first = start < end ? at(cells, start) : undefined
  if (first && end === start + 1) return first
  let sum = 0
  let isMeasured = false
  let gapMs = 0
  let unread = first?.unread ?? NONE_UNREAD
  let isSuspect = false
  for (let index = start; index < end; index += 1) {
    const cell = at(cells, index)
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
  return { value: isMeasured ? roundSum(sum) : null, gapMs, unread, isSuspect }
}

/** Adds the cells of several meters, one each, over the same span. */
export function addMeterCells(cells: readonly MeterCell[]): MeterCell {
  const values = cells.flatMap(({ value }) => value ?? [])
  return {
    value: values.length === 0 ? null : roundSum(values.reduce((sum, value) => sum + value, 0)),
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

/**
 * Statistics of one or several gauges in a span, which can be pooled over devices and time. A reading is valid until
 * the next reading of its series, up to a limit.
 */
export interface GaugeCell {
  /** Number of readings in the span. */
  count: number
  /** Of the readings; if there are none, of the values carried over from before the span. */
  sum: number
  min: number
  max: number
  /** Number of gauges whose last reading before the span is valid in it; 0 if there are readings in the span. */
  standing: number
  /** The parts of the span without a valid reading: starts and ends, relative to the start of the span. */
  gaps: readonly number[]
}

export const NO_GAPS: readonly number[] = []

/** No reading is valid in any part of the span, however long it is. */
const ALL_GAP: readonly number[] = [0, Number.POSITIVE_INFINITY]

export const NO_GAUGE: GaugeCell = {
  count: 0,
  sum: 0,
  min: Number.POSITIVE_INFINITY,
  max: Number.NEGATIVE_INFINITY,
  standing: 0,
  gaps: ALL_GAP,
}

/** Pools the cells of several gauges over the same span. */
export function addGaugeCells(cells: readonly GaugeCell[]): GaugeCell {
  let first: GaugeCell | undefined
  let known = 0
  let hasReadings = false
  for (const cell of cells) {
    if (isUnknown(cell)) continue
    first ??= cell
    known += 1
    hasReadings ||= cell.count > 0
  }
  if (!first) return NO_GAUGE
  if (known === 1) return first
  let { count, sum, min, max, standing } = NO_GAUGE
  let { gaps } = first
  for (const cell of cells) {
    if (isUnknown(cell)) continue
    if (cell !== first) gaps = intersectGaps(gaps, cell.gaps)
    // Carried-over values count only if there is no reading.
    if (hasReadings && cell.count === 0) continue
    count += cell.count
    sum += cell.sum
    min = Math.min(min, cell.min)
    max = Math.max(max, cell.max)
    standing += cell.standing
  }
  return { count, sum: roundSum(sum), min, max, standing, gaps }
}

const isUnknown = ({ count, standing }: GaugeCell): boolean => count === 0 && standing === 0

const HOUR_MS = 3_600_000

/**
 * Whether consumption is above the limit of a meter. Multiplied instead of divided, so that the limit itself is exact.
 */
export const isImplausible = (value: number, lengthMs: number, maxPerHour: number | null): boolean =>
  maxPerHour !== null && value * HOUR_MS > maxPerHour * lengthMs

/** Removes the floating-point error from a sum of short decimals, so that it packs well. */
export function roundSum(sum: number): number {
  const short = round6(sum)
  return Math.abs(short - sum) <= 1e-9 * Math.max(1, Math.abs(sum)) ? short : sum
}
