import { getCombination, type MeasuredMetric } from '../../metric/catalogue.ts'
import type { GaugeCell, MeterCell } from '../reading/cell.ts'
import { at } from '../../../kernel/at.ts'
import { sumGaps } from '../reading/gaps.ts'
import { round6 } from '../reading/window-value.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'
import type { RollupBlock } from '../rollup/rollup-block.ts'
import { type CellKind, GAUGE, METER } from '../rollup/cell-kind.ts'
import { readGaugeColumns, readMeterColumns } from '../rollup/cell-row.ts'
import type { CellSource } from '../rollup/cells.ts'
import {
  addClosedGaugeWindow,
  addCoverage,
  type Combination,
  gaugeSummary,
  gaugeWindows,
} from './gauge-series.ts'
import {
  addMissingGaugeWindow,
  addMissingMeterWindow,
  type Columns,
  createGaugeColumns,
  createMeterColumns,
  type GaugeColumns,
  MEASURED,
  type MeterColumns,
} from './columns.ts'
import type { Contributor } from './contribution.ts'
import type { Summary } from './point.ts'
import { withCellKind } from '../rollup/series-index.ts'
import type { SeriesStats } from './stats.ts'
import { addClosedMeterWindow, sumSummary, utilityWindows } from './meter-series.ts'

/** The windows of a block, by their index in it. */
export interface RowColumns extends Columns {
  /** 1 for each window with missing cells; undefined if the row has all cells, as nearly every row does. */
  absent?: Uint8Array
}

/** Reads the windows of a single contributor, of a meter or a gauge. */
export interface ColumnReader<C> {
  cells: CellKind<C>
  /** The windows of a block from its rollup row; undefined for a row with another number of members. */
  row(row: Uint8Array, block: RollupBlock, members: number): RowColumns | undefined
  /** Windows of any kind, from rollups and readings. */
  any(
    source: CellSource,
    contributor: Contributor,
    windows: readonly TimeSpan[],
    now: number,
  ): Promise<Columns>
  summary(total: SeriesStats): Summary
}

/** Values below this, rounded to six decimals, do not change when they are rounded again. */
const MAX_EXACT = 1e9

/** Longer than any block. Shared by all meter rows without gaps. */
const ALL_ONE = Array.from({ length: 128 }, () => 1)
const ALL_MEASURED = ALL_ONE.map(() => MEASURED)

/** Fast path that unpacks no cells; undefined for a row that contains more than values, which is rare. */
function readFullMeterRow(
  row: Uint8Array,
  { cellOffsets }: RollupBlock,
  members: number,
): Columns | undefined {
  const cells = readMeterColumns(row, members)
  const last = cellOffsets.at(-1)
  if (!cells || last === undefined || cells.length < last || cellOffsets.length > ALL_ONE.length)
    return undefined
  const values: number[] = []
  let offset = cellOffsets[0] ?? Number.NaN
  for (let window = 1; window < cellOffsets.length; window += 1) {
    const end = cellOffsets[window] ?? Number.NaN
    let sum = 0
    for (; offset < end; offset += 1) sum += cells[offset] ?? Number.NaN
    if (!(Math.abs(sum) <= MAX_EXACT)) return undefined
    values.push(round6(sum))
  }
  return { values, counts: ALL_ONE, sums: values, coverage: ALL_ONE, quality: ALL_MEASURED }
}

const METERS: ColumnReader<MeterCell> = {
  cells: METER,
  row: (row, block, members) =>
    readFullMeterRow(row, block, members) ??
    readCells<MeterCell, MeterColumns>(row, block, members, METER, createMeterColumns(), {
      add: (columns, span, cells) => addClosedMeterWindow(columns, span, cells, members),
      addMissing: addMissingMeterWindow,
    }),
  any: (source, contributor, windows, now) => utilityWindows(source, [contributor], windows, now),
  summary: sumSummary,
}

function readFullGaugeRow(
  row: Uint8Array,
  { windows }: RollupBlock,
  combination: Combination,
): GaugeColumns | undefined {
  const gauges = readGaugeColumns(row)
  if (!gauges || gauges.counts.length !== windows.length) return undefined
  const { gaps, counts, sums, mins, maxs } = gauges
  const isAdded = combination === 'added'
  const columns: GaugeColumns = {
    values: [],
    mins: isAdded ? mins.map(round6) : mins,
    maxs: isAdded ? maxs.map(round6) : maxs,
    counts,
    sums,
    coverage: [],
    quality: [],
  }
  for (let window = 0; window < counts.length; window += 1) {
    columns.values.push(round6((sums[window] ?? Number.NaN) / (counts[window] ?? Number.NaN)))
    const { from, to } = windows.span(window)
    addCoverage(columns, sumGaps(at(gaps, window), to - from), to - from, false)
  }
  return columns
}

const gauges = (combination: Combination): ColumnReader<GaugeCell> => ({
  cells: GAUGE,
  row: (row, block, members) =>
    readFullGaugeRow(row, block, combination) ??
    readCells<GaugeCell, GaugeColumns>(row, block, members, GAUGE, createGaugeColumns(), {
      // Hours and days of a gauge are one cell each.
      add(columns, span, [cell]) {
        if (cell) addClosedGaugeWindow(columns, span, cell, combination)
      },
      addMissing: addMissingGaugeWindow,
    }),
  any: async (source, contributor, windows, now) =>
    (await gaugeWindows(source, [contributor], windows, combination, now)).columns,
  summary: (total) => gaugeSummary([total], combination),
})

interface WindowAdder<C, T> {
  add(columns: T, span: TimeSpan, cells: readonly C[]): void
  addMissing(columns: T): void
}

/** Reads a row cell by cell. */
function readCells<C, T extends Columns>(
  row: Uint8Array,
  { windows, cellOffsets }: RollupBlock,
  members: number,
  kind: CellKind<C>,
  columns: T,
  { add, addMissing }: WindowAdder<C, T>,
): RowColumns | undefined {
  const cells = kind.unpack(row, members)
  if (!cells) return undefined
  const absent = new Uint8Array(windows.length)
  for (const window of absent.keys()) {
    const own = cells.slice(cellOffsets[window], cellOffsets[window + 1]).filter((cell) => cell !== undefined)
    const expected = (cellOffsets[window + 1] ?? Number.NaN) - (cellOffsets[window] ?? Number.NaN)
    if (own.length === expected) {
      add(columns, windows.span(window), own)
      continue
    }
    addMissing(columns)
    absent[window] = 1
  }
  return absent.includes(1) ? { ...columns, absent } : columns
}

const POOLED = gauges('pooled')
const ADDED = gauges('added')

/** Calls back with the reader of a metric's windows. */
export function withColumnReader<R>(metric: MeasuredMetric, run: <C>(reader: ColumnReader<C>) => R): R {
  const gauge = getCombination(metric) === 'added' ? ADDED : POOLED
  return withCellKind(metric, { meter: () => run(METERS), gauge: () => run(gauge) })
}
