import { listSpans, type TimeSpan, type Windows } from '../../../calendar/interval.ts'
import { byteAt, float64At } from '../../../kernel/at.ts'
import { joinMeterCells, type MeterCell, meterWindow } from '../reading/cell.ts'
import { round4, round6 } from '../reading/window-value.ts'
import { METER } from '../rollup/cell-kind.ts'
import type { CellSource } from '../rollup/cells.ts'
import {
  addMeterWindow,
  addMissingMeterWindow,
  capAtNow,
  type Columns,
  createMeterColumns,
  MEASURED,
  type MeterColumns,
  PARTIAL,
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
  const sums = new MeterSums(windows.length)
  for await (const contribution of readContributions(source, METER, contributors, windows)) {
    const { contributor, first, spans, ends, cells } = contribution
    for (let offset = 0; offset < spans.length; offset += 1) {
      const span = spans[offset]
      if (!span) continue
      const cell = joinMeterCells(cells, offset === 0 ? 0 : ends[offset - 1], ends[offset])
      sums.add(first + offset, cell, span, contributor.members)
    }
  }
  const columns = createMeterColumns()
  for (let window = 0; window < windows.length; window += 1) sums.addTo(columns, window)
  return columns
}

/**
 * The sums of several meters in each window. A meter without data makes a sum partial. In arrays: objects for
 * thousands of windows would be garbage.
 */
class MeterSums {
  readonly #values: Float64Array
  readonly #covered: Float64Array
  /** Number of meters with data, and of all meters. */
  readonly #counted: Float64Array
  readonly #present: Float64Array
  /** Indexes in `QUALITIES`, from best to worst. */
  readonly #quality: Uint8Array

  constructor(windows: number) {
    this.#values = new Float64Array(windows)
    this.#covered = new Float64Array(windows)
    this.#counted = new Float64Array(windows)
    this.#present = new Float64Array(windows)
    this.#quality = new Uint8Array(windows).fill(MEASURED)
  }

  /** Adds the cell of some meters in a window, or in the part of it in which they were present. */
  add(window: number, cell: MeterCell, span: TimeSpan, meters: number): void {
    const { value, quality, coverage } = meterWindow(cell, meters, span.to - span.from)
    this.#present[window] = float64At(this.#present, window) + meters
    this.#covered[window] = float64At(this.#covered, window) + coverage * meters
    if (value === null) return
    this.#counted[window] = float64At(this.#counted, window) + meters
    this.#values[window] = float64At(this.#values, window) + value
    this.#quality[window] = Math.max(byteAt(this.#quality, window), toQualityIndex(quality))
  }

  addTo(columns: MeterColumns, window: number): void {
    const [counted, present] = [float64At(this.#counted, window), float64At(this.#present, window)]
    if (counted === 0) {
      addMissingMeterWindow(columns)
      return
    }
    const quality = byteAt(this.#quality, window)
    const shown = counted < present ? Math.max(quality, PARTIAL) : quality
    const coverage = round4(float64At(this.#covered, window) / present)
    addMeterWindow(columns, round6(float64At(this.#values, window)), shown, coverage)
  }
}

/** Adds a window that has ended and in which the same meters were present all the time. */
export function addClosedMeterWindow(
  columns: MeterColumns,
  span: TimeSpan,
  cells: readonly MeterCell[],
  meters: number,
): void {
  const sum = new MeterSums(1)
  sum.add(0, joinMeterCells(cells), span, meters)
  sum.addTo(columns, 0)
}

export async function utilitySeries(
  source: CellSource,
  contributors: readonly Contributor[],
  windows: Windows,
  now: number,
): Promise<Series> {
  const columns = await utilityWindows(source, contributors, listSpans(windows), now)
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
