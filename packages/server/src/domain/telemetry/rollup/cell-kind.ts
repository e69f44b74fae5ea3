import type { MetricSpec } from '../../estate/inventory/inventory.ts'
import type { SlotInterval } from '../../../calendar/local-day.ts'
import {
  addGaugeCells,
  addMeterCells,
  type GaugeCell,
  joinMeterCells,
  type MeterCell,
  NO_GAUGE,
  tidySum,
  type MeterReadings,
} from '../reading/cell.ts'
import { LONGEST_DELTA_MS, readDeltas } from '../reading/delta.ts'
import { gaugeCell, markQuarters, QUARTER_MS, quartersIn } from '../reading/gauge.ts'
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
const meterSpan = (spec: MetricSpec, { from, to }: TimeSpan): TimeSpan =>
  // A delta's length depends on its neighbours: those that extend into the span are loaded with the one before them.
  spec.kind === 'delta' ? { from: from - LONGEST_DELTA_MS, to } : { from, to }

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
  load: (readings, siteUuid, seriesId, _spec, span) => readings.within(siteUuid, seriesId, span),
  compute: (readings) => (span) => gaugeCell(readings, span),
  isEmpty: ({ count }) => count === 0,
  add: addGaugeCells,
  fromQuarters: sliceGauge,
}

/** The cell of a span of a gauge, from its quarter hours. A quarter hour counts in the span in which it begins. */
function sliceGauge(quarters: readonly { span: TimeSpan; cell: GaugeCell }[], span: TimeSpan): GaugeCell {
  const inside = quarters.filter(({ span: quarter, cell }) => cell.count > 0 && quarter.from >= span.from)
  if (inside.length === 0) return NO_GAUGE
  const first = Math.floor(span.from / QUARTER_MS)
  const seen = new Uint8Array(quartersIn(span))
  for (const { span: quarter, cell } of inside) markQuarters(seen, first, cell, quarter.from)
  const bits = new Uint8Array(Math.ceil(seen.length / 8))
  seen.forEach((isSeen, index) => {
    if (isSeen) bits[index >> 3] = at(bits, index >> 3) | (1 << (index & 7))
  })
  return {
    count: inside.reduce((count, { cell }) => count + cell.count, 0),
    sum: tidySum(inside.reduce((sum, { cell }) => sum + cell.sum, 0)),
    min: Math.min(...inside.map(({ cell }) => cell.min)),
    max: Math.max(...inside.map(({ cell }) => cell.max)),
    quarters: bits,
  }
}

const readMeter = (readings: Readings, spec: MetricSpec): MeterReadings =>
  spec.kind === 'delta' ? readDeltas(readings, spec) : readRegister(readings, spec)
