import { byteAt } from '../../../kernel/at.ts'
import { round6, type WindowValue } from './window-value.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'

/**
 * What one or several meters counted in a stretch of time, in a form that adds up: stretches one after the other make a longer
 * one, and meters beside each other make a space. Rollups are made of cells.
 */
export interface MeterCell {
  /** Null when nothing was measured. */
  value: number | null
  /** Milliseconds that the data does not span, added up over the meters. */
  gapMs: number
  /** The meters, by their number, without a reading of their own in the stretch: filled between two others. */
  unread: readonly number[]
  isSuspect: boolean
}

/** One meter's readings, ready to be asked for what it counted. */
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

/** The same meters over stretches that follow each other. */
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

/** Meters beside each other, one cell each, over the same stretch. */
export function addMeterCells(cells: readonly MeterCell[]): MeterCell {
  const values = cells.flatMap(({ value }) => value ?? [])
  return {
    value: values.length === 0 ? null : tidySum(values.reduce((sum, value) => sum + value, 0)),
    gapMs: cells.reduce((sum, { gapMs }) => sum + gapMs, 0),
    unread: cells.flatMap(({ unread }, meter) => (unread.length > 0 ? meter : [])),
    isSuspect: cells.some(({ isSuspect }) => isSuspect),
  }
}

/** The cell of some meters as a window shows it. */
export function meterWindow(cell: MeterCell, meters: number, lengthMs: number): WindowValue {
  const { gapMs } = cell
  if (cell.value === null) return { value: null, quality: 'missing', coverage: 0 }
  const value = round6(cell.value)
  const coverage = 1 - gapMs / (meters * lengthMs)
  if (cell.isSuspect) return { value, quality: 'suspect', coverage }
  if (gapMs > 0) return { value, quality: 'partial', coverage }
  return { value, quality: cell.unread.length > 0 ? 'estimated' : 'measured', coverage }
}

/** What one or several gauges showed in a stretch: enough to pool more devices, or more time. */
export interface GaugeCell {
  count: number
  sum: number
  min: number
  max: number
  /** A bit for each quarter hour with a reading, counted from the quarter hour that the stretch begins in. */
  quarters: Uint8Array
}

export const NO_GAUGE: GaugeCell = {
  count: 0,
  sum: 0,
  min: Number.POSITIVE_INFINITY,
  max: Number.NEGATIVE_INFINITY,
  quarters: new Uint8Array(),
}

/** Gauges beside each other over the same stretch. */
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

/** Sums of short decimals are short decimals: what binary fractions add to them goes, so that they pack well. */
export function tidySum(sum: number): number {
  const short = round6(sum)
  return Math.abs(short - sum) <= 1e-9 * Math.max(1, Math.abs(sum)) ? short : sum
}
