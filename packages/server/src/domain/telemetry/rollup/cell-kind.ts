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

/** Meters and gauges are rolled up alike; what differs between them is here. */
export interface CellKind<C> {
  slot: SlotInterval
  pack(row: readonly (C | undefined)[], members: number): Uint8Array
  /** Undefined when the row was made for other members. */
  unpack(bytes: Uint8Array, members: number): readonly (C | undefined)[] | undefined
  /** The readings that the cells of a stretch are made of. */
  load(
    readings: ReadingReader,
    siteUuid: string,
    seriesId: number,
    spec: MetricSpec,
    span: TimeSpan,
  ): Promise<Readings>
  /** Cells of one series. */
  compute(readings: Readings, spec: MetricSpec): (span: TimeSpan) => C
  /** Nothing was measured in it. */
  isEmpty(cell: C): boolean
  /** Members beside each other. */
  add(cells: readonly C[]): C
  /** A stretch from the quarter hours it touches, when the readings themselves are gone. */
  fromQuarters(quarters: readonly { span: TimeSpan; cell: C }[], span: TimeSpan): C
}

/** What a stretch is made of: the readings inside, and those that its edges depend on. */
export const meterSpan = (spec: MetricSpec, { from, to }: TimeSpan): TimeSpan =>
  // A delta's length depends on its neighbours: those that reach into the stretch are loaded with the one before them.
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
