import { listSpans, type TimeSpan, type Windows } from '../../../calendar/interval.ts'
import { at, float64At, numberAt } from '../../../kernel/at.ts'
import { yieldIfDue } from '../../../kernel/time-slice.ts'
import { type GaugeCell, NO_GAPS } from '../reading/cell.ts'
import { type Gaps, intersectGaps, pushGap, sumGaps } from '../reading/gaps.ts'
import { round4, round6 } from '../reading/window-value.ts'
import { GAUGE } from '../rollup/cell-kind.ts'
import type { CellSource } from '../rollup/cells.ts'
import {
  addMissingGaugeWindow,
  capAtNow,
  createGaugeColumns,
  ESTIMATED,
  type GaugeColumns,
  MEASURED,
  PARTIAL,
  type Series,
  toValue,
} from './columns.ts'
import { type Contribution, type Contributor, readContributions } from './contribution.ts'
import type { Summary } from './point.ts'
import { EMPTY_STATS, isEmpty, mergeStats, type Stats } from './stats.ts'

/** `pooled`: the mean of all readings. `added`: the means of the devices are summed, as for people counters. */
export type Combination = 'pooled' | 'added'

export async function gaugeSeries(
  source: CellSource,
  contributors: readonly Contributor[],
  windows: Windows,
  combination: Combination,
  now: number,
): Promise<Series> {
  const { columns, totals } = await gaugeWindows(source, contributors, listSpans(windows), combination, now)
  return { columns: { windows, ...columns }, summary: gaugeSummary(totals, combination) }
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
  /** The parts of each window that no sensor covers, as instants. */
  const uncovered: (Gaps | undefined)[] = windows.map(() => undefined)
  const sums = new SensorSums(windows.length)
  const sensors = bySensor(contributors)
  // Fixes the order of summation, regardless of which sensor measured first.
  const totals = new Map(sensors.map(({ seriesId }) => [seriesId, EMPTY_STATS]))
  let current: { seriesId: number | undefined; first: number; stats: Stats[] } | undefined
  const finishSensor = (): void => {
    if (!current) return
    const { seriesId, first, stats } = current
    for (let offset = 0; offset < stats.length; offset += 1) sums.add(first + offset, at(stats, offset))
    totals.set(seriesId, stats.reduce(mergeStats, totals.get(seriesId) ?? EMPTY_STATS))
  }
  for await (const contribution of readContributions(source, GAUGE, sensors, windows)) {
    const { contributor, first, spans, ends, cells } = contribution
    const { seriesId } = contributor
    if (current?.seriesId !== seriesId || current?.first !== first) {
      finishSensor()
      current = { seriesId, first, stats: spans.map(() => EMPTY_STATS) }
    }
    const { stats } = current
    for (let offset = 0; offset < spans.length; offset += 1) {
      const span = spans[offset]
      if (!span) continue
      const [start, end] = [offset === 0 ? 0 : at(ends, offset - 1), at(ends, offset)]
      for (let unit = start; unit < end; unit += 1)
        stats[offset] = mergeStats(at(stats, offset), at(cells, unit))
      const index = first + offset
      const own = findGaps(contribution, at(windows, index), span, start, end)
      const others = uncovered[index]
      uncovered[index] = others ? intersectGaps(others, own) : own
    }
  }
  finishSensor()
  await yieldIfDue()
  const columns = createGaugeColumns()
  for (let index = 0; index < windows.length; index += 1) {
    const { from, to } = at(windows, index)
    const gaps = uncovered[index]
    sums.addTo(columns, index, gaps ? sumGaps(gaps, to) : to - from, to - from, combination)
  }
  capAtNow(columns, windows, now)
  return { columns, totals: [...totals.values()] }
}

/** The parts of a window that a contributor does not cover: those outside its time, and the gaps of its cells. */
function findGaps(
  { units, cells }: Contribution<GaugeCell>,
  window: TimeSpan,
  span: TimeSpan,
  start: number,
  end: number,
): Gaps {
  // Allocated only if needed: most windows have no gaps.
  let gaps: number[] | undefined
  if (window.from < span.from) pushGap((gaps ??= []), window.from, span.from)
  for (let index = start; index < end; index += 1) {
    const own = at(cells, index).gaps
    if (own.length === 0) continue
    const { from, to } = at(units, index)
    for (let gap = 0; gap < own.length; gap += 2)
      pushGap((gaps ??= []), from + numberAt(own, gap), Math.min(to, from + numberAt(own, gap + 1)))
  }
  if (span.to < window.to) pushGap((gaps ??= []), span.to, window.to)
  return gaps ?? NO_GAPS
}

/** Several placements of one device count as one sensor, so they are moved next to the first of them. */
const bySensor = (contributors: readonly Contributor[]): Contributor[] =>
  [...Map.groupBy(contributors, ({ seriesId }) => seriesId).values()].flat()

/** Adds a window that has ended and in which one sensor was present all the time. */
export const addClosedGaugeWindow = (
  columns: GaugeColumns,
  { from, to }: TimeSpan,
  cell: GaugeCell,
  combination: Combination,
): void => {
  const sum = new SensorSums(1)
  sum.add(0, cell)
  sum.addTo(columns, 0, sumGaps(cell.gaps, to - from), to - from, combination)
}

/** `totals`: the stats of each sensor over all windows. */
export function gaugeSummary(totals: readonly Stats[], combination: Combination): Summary {
  const sum = new SensorSums(1)
  for (const total of totals) sum.add(0, total)
  const columns = createGaugeColumns()
  sum.addTo(columns, 0, 0, 1, combination)
  const { values, mins, maxs } = columns
  return { mean: toValue(values[0]), min: toValue(mins[0]), max: toValue(maxs[0]) }
}

/** Adds quality and coverage of a window with a value. */
export function addCoverage(
  { quality, coverage }: GaugeColumns,
  gapMs: number,
  lengthMs: number,
  isEmpty: boolean,
): void {
  quality.push(gapMs > 0 ? PARTIAL : isEmpty ? ESTIMATED : MEASURED)
  coverage.push(round4(1 - gapMs / lengthMs))
}

const NUMBERS_PER_WINDOW = 8

/** Sums of the sensors' own values. */
const [MEANS, MINS, MAXS] = [0, 1, 2]

/** The stats of all readings or, if there are none, of all carried-over values. */
const [COUNT, SUM, MIN, MAX, STANDING] = [3, 4, 5, 6, 7]

/**
 * Sums over several sensors in each window, added one sensor at a time. In one array: objects for thousands of windows
 * would be garbage.
 */
class SensorSums {
  readonly #numbers: Float64Array

  constructor(windows: number) {
    this.#numbers = new Float64Array(windows * NUMBERS_PER_WINDOW)
  }

  /** Adds the stats of one sensor. Carried-over values count only if there is no reading. */
  add(window: number, stats: Stats): void {
    const { count, sum, min, max, standing } = stats
    if (isEmpty(stats)) return
    const numbers = this.#numbers
    const start = window * NUMBERS_PER_WINDOW
    this.#add(start + MEANS, sum / (count || standing))
    this.#add(start + MINS, min)
    this.#add(start + MAXS, max)
    const hasReadings = float64At(numbers, start + COUNT) > 0
    const isFirst = !hasReadings && float64At(numbers, start + STANDING) === 0
    if (isFirst || (!hasReadings && count > 0)) {
      numbers[start + COUNT] = count
      numbers[start + SUM] = sum
      numbers[start + MIN] = min
      numbers[start + MAX] = max
      numbers[start + STANDING] = standing
    } else if (count > 0 || !hasReadings) {
      this.#add(start + COUNT, count)
      this.#add(start + SUM, sum)
      numbers[start + MIN] = Math.min(min, float64At(numbers, start + MIN))
      numbers[start + MAX] = Math.max(max, float64At(numbers, start + MAX))
      this.#add(start + STANDING, standing)
    }
  }

  #add(index: number, value: number): void {
    this.#numbers[index] = float64At(this.#numbers, index) + value
  }

  addTo(
    columns: GaugeColumns,
    window: number,
    gapMs: number,
    lengthMs: number,
    combination: Combination,
  ): void {
    const numbers = this.#numbers
    const start = window * NUMBERS_PER_WINDOW
    const [count, standing] = [float64At(numbers, start + COUNT), float64At(numbers, start + STANDING)]
    if (count === 0 && standing === 0) {
      addMissingGaugeWindow(columns)
      return
    }
    const isAdded = combination === 'added'
    const sum = float64At(numbers, start + SUM)
    const value = round6(isAdded ? float64At(numbers, start + MEANS) : sum / (count || standing))
    columns.values.push(value)
    columns.mins.push(isAdded ? round6(float64At(numbers, start + MINS)) : float64At(numbers, start + MIN))
    columns.maxs.push(isAdded ? round6(float64At(numbers, start + MAXS)) : float64At(numbers, start + MAX))
    columns.counts.push(count)
    columns.sums.push(count === 0 ? value : sum)
    addCoverage(columns, gapMs, lengthMs, count === 0)
  }
}
