import type { TimeSpan, Windows } from '../../../calendar/interval.ts'
import { at } from '../../../kernel/at.ts'
import { joinMeterCells, type MeterCell, meterWindow } from '../reading/cell.ts'
import { type Quality, round4, round6, worstQuality } from '../reading/window-value.ts'
import { METER } from '../rollup/cell-kind.ts'
import type { CellSource } from '../rollup/cells.ts'
import {
  addMeterWindow,
  addMissingMeterWindow,
  capAtNow,
  type Columns,
  createMeterColumns,
  type MeterColumns,
  toQualityIndex,
  type Series,
} from './columns.ts'
import { type Contributor, readContributions } from './contribution.ts'
import type { Summary } from './point.ts'
import { type SeriesStats, StatsAccumulator } from './stats.ts'

/** Consumption in each window, summed over the contributors. */
export async function sumConsumption(
  source: CellSource,
  contributors: readonly Contributor[],
  windows: readonly TimeSpan[],
): Promise<MeterColumns> {
  const sums = windows.map(emptySum)
  for await (const contribution of readContributions(source, METER, contributors, windows)) {
    const { contributor, first, spans, ends, cells } = contribution
    for (const [offset, span] of spans.entries()) {
      if (!span) continue
      const own = cells.slice(offset === 0 ? 0 : ends[offset - 1], ends[offset])
      add(at(sums, first + offset), own, span, contributor.members)
    }
  }
  const columns = createMeterColumns()
  for (const sum of sums) addWindow(columns, sum)
  return columns
}

/** The sum of several meters in one window. A meter without data makes the sum partial. */
interface Sum {
  value: number
  covered: number
  /** Number of meters with data, and of all meters. */
  counted: number
  present: number
  quality: Quality
}

const emptySum = (): Sum => ({ value: 0, covered: 0, counted: 0, present: 0, quality: 'measured' })

function add(sum: Sum, cells: readonly MeterCell[], span: TimeSpan, meters: number): void {
  const part = meterWindow(joinMeterCells(cells), meters, span.to - span.from)
  sum.present += meters
  sum.covered += part.coverage * meters
  if (part.value === null) return
  sum.counted += meters
  sum.value += part.value
  sum.quality = worstQuality(sum.quality, part.quality)
}

function addWindow(columns: MeterColumns, { value, covered, counted, present, quality }: Sum): void {
  if (counted === 0) {
    addMissingMeterWindow(columns)
    return
  }
  const shown = counted < present ? worstQuality(quality, 'partial') : quality
  addMeterWindow(columns, round6(value), toQualityIndex(shown), round4(covered / present))
}

/** Adds a window that has ended and in which the same meters were present all the time. */
export function addClosedMeterWindow(
  columns: MeterColumns,
  span: TimeSpan,
  cells: readonly MeterCell[],
  meters: number,
): void {
  const sum = emptySum()
  add(sum, cells, span, meters)
  addWindow(columns, sum)
}

export async function utilitySeries(
  source: CellSource,
  contributors: readonly Contributor[],
  windows: Windows,
  now: number,
): Promise<Series> {
  const columns = await utilityWindows(source, contributors, [...windows], now)
  return { columns: { windows, ...columns }, summary: summarizeSum(columns) }
}

export async function utilityWindows(
  source: CellSource,
  contributors: readonly Contributor[],
  windows: readonly TimeSpan[],
  now: number,
): Promise<MeterColumns> {
  const columns = await sumConsumption(source, contributors, windows)
  capAtNow(columns, windows, now)
  return columns
}

export function sumSummary({ count, sum, min, max, suspectSum }: SeriesStats): Summary {
  if (count === 0) return { total: null, min: null, max: null }
  const suspectTotal = round6(suspectSum)
  return { total: round6(sum), ...(suspectTotal === 0 ? {} : { suspectTotal }), min, max }
}

export function summarizeSum(columns: Columns): Summary {
  const stats = new StatsAccumulator()
  stats.addColumns(columns, 0, columns.values.length)
  return sumSummary(stats.total())
}

export function emptySeries(windows: Windows, aggregation: 'sum' | 'mean' | 'score'): Series {
  const columns = createMeterColumns()
  for (let window = 0; window < windows.length; window += 1) addMissingMeterWindow(columns)
  const summary: Summary =
    aggregation === 'sum' ? { total: null, min: null, max: null } : { mean: null, min: null, max: null }
  return { columns: { windows, ...columns }, summary }
}
