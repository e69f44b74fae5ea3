import type { TimeSpan, Windows } from '../../../calendar/interval.ts'
import { at } from '../../../kernel/at.ts'
import { yieldIfDue } from '../../../kernel/time-slice.ts'
import type { GaugeCell } from '../reading/cell.ts'
import { countQuarters, markQuarters, QUARTER_MS, quartersIn } from '../reading/gauge.ts'
import { round4, round6 } from '../reading/window-value.ts'
import { GAUGE } from '../rollup/cell-kind.ts'
import type { CellSource } from '../rollup/cells.ts'
import {
  addMissingGaugeWindow,
  capAtNow,
  createGaugeColumns,
  type GaugeColumns,
  MEASURED,
  PARTIAL,
  type Series,
} from './columns.ts'
import { type Contributor, readContributions } from './contribution.ts'
import type { Summary } from './point.ts'
import { EMPTY_STATS, mergeStats, type Stats } from './stats.ts'

/** `pooled`: the mean of all readings. `added`: the means of the devices are summed, as for people counters. */
export type Combination = 'pooled' | 'added'

export async function gaugeSeries(
  source: CellSource,
  contributors: readonly Contributor[],
  windows: Windows,
  combination: Combination,
  now: number,
): Promise<Series> {
  const { columns, totals } = await gaugeWindows(source, contributors, [...windows], combination, now)
  const measured = totals.filter(({ count }) => count > 0)
  return { columns: { windows, ...columns }, summary: gaugeSummary(measured, combination) }
}

interface ClimateWindows {
  columns: GaugeColumns
  /** The stats of each sensor over all windows. */
  totals: Stats[]
}

/** Sums chunk by chunk and sensor by sensor: only the stats of one sensor and chunk, and the sums, are in memory. */
export async function gaugeWindows(
  source: CellSource,
  contributors: readonly Contributor[],
  windows: readonly TimeSpan[],
  combination: Combination,
  now: number,
): Promise<ClimateWindows> {
  /** Start of each window's flags in `seen`, which has a flag for each quarter hour of each window. */
  const starts = [0]
  for (const [index, window] of windows.entries())
    starts.push((starts[index] ?? Number.NaN) + quartersIn(window))
  const seen = new Uint8Array(at(starts, windows.length))
  /** Number of quarter hours with readings, for windows of one cell, in which no quarter hour can be counted twice. */
  const alone = new Map<number, number>()
  const sums = windows.map(() => new SensorSum())
  const sensors = bySensor(contributors)
  // Fixes the order of summation, regardless of which sensor measured first.
  const totals = new Map(sensors.map(({ seriesId }) => [seriesId, EMPTY_STATS]))
  let current: { seriesId: number | undefined; first: number; stats: Stats[] } | undefined
  const finishSensor = (): void => {
    if (!current) return
    const { seriesId, first, stats } = current
    for (const [offset, own] of stats.entries()) sums[first + offset]?.add(own)
    totals.set(seriesId, stats.reduce(mergeStats, totals.get(seriesId) ?? EMPTY_STATS))
  }
  for await (const contribution of readContributions(source, GAUGE, sensors, windows)) {
    const { contributor, first, spans, units, ends, cells } = contribution
    const { seriesId } = contributor
    if (current?.seriesId !== seriesId || current?.first !== first) {
      finishSensor()
      current = { seriesId, first, stats: spans.map(() => EMPTY_STATS) }
    }
    const { stats } = current
    for (const offset of spans.keys()) {
      const [start, end] = [offset === 0 ? 0 : (ends[offset - 1] ?? Number.NaN), ends[offset] ?? Number.NaN]
      const cell = cells[start]
      if (cell && end - start === 1 && contributors.length === 1) {
        stats[offset] = cell
        alone.set(first + offset, countQuarters(cell))
        continue
      }
      const origin =
        Math.floor(at(windows, first + offset).from / QUARTER_MS) - (starts[first + offset] ?? Number.NaN)
      for (let unit = start; unit < end; unit += 1) {
        const own = at(cells, unit)
        if (own.count === 0) continue
        stats[offset] = mergeStats(at(stats, offset), own)
        markQuarters(seen, origin, own, at(units, unit).from)
      }
    }
  }
  finishSensor()
  await yieldIfDue()
  const columns = createGaugeColumns()
  for (const [index, sum] of sums.entries()) {
    const [start, end] = [starts[index] ?? Number.NaN, starts[index + 1] ?? Number.NaN]
    let quarters = alone.get(index)
    if (quarters === undefined) {
      quarters = 0
      for (let quarter = start; quarter < end; quarter += 1) quarters += seen[quarter] ?? Number.NaN
    }
    addWindow(columns, sum, quarters / (end - start), combination)
  }
  capAtNow(columns, windows, now)
  return { columns, totals: [...totals.values()] }
}

/** Several placements of one device count as one sensor, so they are moved next to the first of them. */
const bySensor = (contributors: readonly Contributor[]): Contributor[] =>
  [...Map.groupBy(contributors, ({ seriesId }) => seriesId).values()].flat()

/** Adds a window that has ended and in which one sensor was present all the time. */
export const addClosedGaugeWindow = (
  columns: GaugeColumns,
  window: TimeSpan,
  cell: GaugeCell,
  combination: Combination,
): void =>
  addWindow(columns, new SensorSum().add(cell), countQuarters(cell) / quartersIn(window), combination)

/** `totals`: the stats of each sensor over all windows. */
export function gaugeSummary(totals: readonly Stats[], combination: Combination): Summary {
  if (totals.length === 0) return { mean: null, min: null, max: null }
  const sum = new SensorSum()
  for (const total of totals) sum.add(total)
  const { value, min, max } = sum.combine(combination)
  return { mean: value, min, max }
}

function addWindow(columns: GaugeColumns, sum: SensorSum, covered: number, combination: Combination): void {
  if (sum.isEmpty) {
    addMissingGaugeWindow(columns)
    return
  }
  const { value, min, max } = sum.combine(combination)
  columns.values.push(value)
  columns.mins.push(min)
  columns.maxs.push(max)
  sum.addTo(columns)
  addCoverage(columns, covered)
}

/** Adds quality and coverage of a window with readings in a share of its quarter hours. */
export function addCoverage({ quality, coverage }: GaugeColumns, share: number): void {
  quality.push(share < 1 ? PARTIAL : MEASURED)
  coverage.push(round4(share))
}

/** Sums over several sensors in one window, added one sensor at a time. */
class SensorSum {
  #means = 0
  #sum = 0
  #count = 0
  #mins = 0
  #maxs = 0
  #least = EMPTY_STATS.min
  #most = EMPTY_STATS.max

  /** Adds the stats of one sensor. */
  add({ count, sum, min, max }: Stats): this {
    if (count === 0) return this
    this.#means += sum / count
    this.#sum += sum
    this.#count += count
    this.#mins += min
    this.#maxs += max
    this.#least = Math.min(this.#least, min)
    this.#most = Math.max(this.#most, max)
    return this
  }

  addTo({ counts, sums }: GaugeColumns): void {
    counts.push(this.#count)
    sums.push(this.#sum)
  }

  get isEmpty(): boolean {
    return this.#count === 0
  }

  combine(combination: Combination): { value: number; min: number; max: number } {
    return combination === 'added'
      ? { value: round6(this.#means), min: round6(this.#mins), max: round6(this.#maxs) }
      : { value: round6(this.#sum / this.#count), min: this.#least, max: this.#most }
  }
}
