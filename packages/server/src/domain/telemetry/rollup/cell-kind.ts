import type { MetricSpec } from '../../estate/inventory/inventory.ts'
import type { SlotInterval } from '../../../calendar/local-day.ts'
import {
  addGaugeCells,
  addMeterCells,
  type GaugeCell,
  joinMeterCells,
  type MeterCell,
} from '../reading/cell.ts'
import { LONGEST_DELTA_MS } from '../reading/delta.ts'
import { gaugeCell } from '../reading/gauge.ts'
import { readMeter } from '../reading/meter.ts'
import type { Readings } from '../reading/packed-day.ts'
import type { ReadingReader } from '../reading/store.ts'
import { round6 } from '../reading/window-value.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'
import { packGaugeRow, packMeterRow, unpackGaugeRow, unpackMeterRow } from './cell-row.ts'
import { sliceGauge } from './quarter-hours.ts'

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
export const meterSpan = (spec: MetricSpec, { from, to }: TimeSpan): TimeSpan =>
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
