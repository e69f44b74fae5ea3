import type { MetricSpec } from '../../estate/inventory/inventory.ts'
import type { SlotInterval } from '../../../calendar/local-day.ts'
import {
  addGaugeCells,
  addMeterCells,
  type GaugeCell,
  joinMeterCells,
  type MeterCell,
  NO_GAUGE,
  roundSum,
  type MeterReadings,
} from '../reading/cell.ts'
import { LONGEST_DELTA_MS, readDeltas } from '../reading/delta.ts'
import { pushGap } from '../reading/gaps.ts'
import { gaugeCell, getMaxGapMs } from '../reading/gauge.ts'
import type { Readings } from '../reading/packed-day.ts'
import type { ReadingReader } from '../reading/store.ts'
import { round6 } from '../reading/window-value.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'
import { packGaugeRow, packMeterRow, unpackGaugeRow, unpackMeterRow } from './cell-row.ts'
import { at } from '../../../kernel/at.ts'
import { readRegister } from '../reading/register.ts'

/** The differences between rolling up meters and gauges. */
export interface CellKind<C> {
  slot: SlotInterval
  pack(row: readonly (C | undefined)[], members: number): Uint8Array
  /** Undefined if the row was computed for another number of members. */
  unpack(bytes: Uint8Array, members: number): readonly (C | undefined)[] | undefined
  /** Loads the readings from which the cells of a span are computed. */
  load(
    readings: ReadingReader,
    siteUuid: string,
    seriesId: number,
    spec: MetricSpec,
    span: TimeSpan,
  ): Promise<Readings>
  /** Creates a function that computes cells of one series. */
  compute(readings: Readings, spec: MetricSpec): (span: TimeSpan) => C
  /** Whether nothing was measured in the cell. */
  isEmpty(cell: C): boolean
  /** Adds the cells of several members over the same span. */
  add(cells: readonly C[]): C
  /** A cell computed from the quarter hours that overlap its span, for when the readings are deleted. */
  fromQuarters(quarters: readonly { span: TimeSpan; cell: C }[], span: TimeSpan): C
}

/** The span to load for a span of cells: also the readings on which its edges depend. */
const meterSpan = ({ kind, stamp }: MetricSpec, { from, to }: TimeSpan): TimeSpan => {
  if (kind === 'register') return { from, to }
  // The deltas whose intervals extend into the span; those around them decide their length.
  return stamp === 'end' ? { from, to: to + LONGEST_DELTA_MS } : { from: from - LONGEST_DELTA_MS, to }
}

/** How far before and after a span `load` reads, apart from the neighbours of the span. */
export function getReachMs(spec: MetricSpec): number {
  if (spec.kind === 'gauge') return getMaxGapMs(spec)
  return spec.kind === 'delta' ? LONGEST_DELTA_MS : 0
}

export const METER: CellKind<MeterCell> = {
  slot: 'PT30M',
  pack: packMeterRow,
  unpack(bytes, members) {
    const { meters, cells } = unpackMeterRow(bytes)
    return meters === members ? cells : undefined
  },
  load: (readings, siteUuid, seriesId, spec, span) =>
    readings.around(siteUuid, seriesId, meterSpan(spec, span)),
  compute: (readings, spec) => {
    const meter = readMeter(readings, spec)
    return (span) => meter.cell(span)
  },
  isEmpty: ({ value }) => value === null,
  add: addMeterCells,
  fromQuarters: (quarters, span) =>
    joinMeterCells(
      quarters.map(({ span: quarter, cell }) => {
        const share =
          (Math.min(quarter.to, span.to) - Math.max(quarter.from, span.from)) / (quarter.to - quarter.from)
        if (share === 1) return cell
        const value = cell.value === null ? null : round6(cell.value * share)
        return { ...cell, value, gapMs: Math.round(cell.gapMs * share) }
      }),
    ),
}

export const GAUGE: CellKind<GaugeCell> = {
  slot: 'PT1H',
  pack: (row) => packGaugeRow(row),
  unpack: (bytes) => unpackGaugeRow(bytes),
  load: (readings, siteUuid, seriesId, spec, { from, to }) =>
    readings.within(siteUuid, seriesId, { from: from - getMaxGapMs(spec), to }),
  compute: (readings, spec) => {
    const maxGapMs = getMaxGapMs(spec)
    return (span) => gaugeCell(readings, span, maxGapMs)
  },
  isEmpty: ({ count, standing }) => count === 0 && standing === 0,
  add: addGaugeCells,
  fromQuarters: sliceGauge,
}

/**
 * The cell of a span of a gauge, from its quarter hours. The readings of a quarter hour count in the span in which it
 * begins; its gaps are exact.
 */
function sliceGauge(quarters: readonly { span: TimeSpan; cell: GaugeCell }[], span: TimeSpan): GaugeCell {
  const inside = quarters.filter(({ span: quarter, cell }) => cell.count > 0 && quarter.from >= span.from)
  const gaps = cutGaps(quarters, span)
  if (inside.length === 0) {
    // The last reading before the span is not known: the mean of its quarter hour is used instead.
    const [first] = quarters
    const isStanding = first && (first.cell.count > 0 || first.cell.standing > 0)
    if (!isStanding) return NO_GAUGE
    const value = round6(first.cell.sum / (first.cell.count || first.cell.standing))
    return { count: 0, sum: value, min: value, max: value, standing: 1, gaps }
  }
  return {
    count: inside.reduce((count, { cell }) => count + cell.count, 0),
    sum: roundSum(inside.reduce((sum, { cell }) => sum + cell.sum, 0)),
    min: Math.min(...inside.map(({ cell }) => cell.min)),
    max: Math.max(...inside.map(({ cell }) => cell.max)),
    standing: 0,
    gaps,
  }
}

/** The gaps of some quarter hours in a span, relative to its start. */
function cutGaps(
  quarters: readonly { span: TimeSpan; cell: GaugeCell }[],
  { from, to }: TimeSpan,
): readonly number[] {
  const gaps: number[] = []
  for (const { span: quarter, cell } of quarters) {
    const end = Math.min(to, quarter.to)
    for (let index = 0; index < cell.gaps.length; index += 2) {
      const start = Math.max(from, quarter.from + at(cell.gaps, index))
      pushGap(gaps, start - from, Math.min(end, quarter.from + at(cell.gaps, index + 1)) - from)
    }
  }
  return gaps
}

const readMeter = (readings: Readings, spec: MetricSpec): MeterReadings =>
  spec.kind === 'delta' ? readDeltas(readings, spec) : readRegister(readings, spec)
