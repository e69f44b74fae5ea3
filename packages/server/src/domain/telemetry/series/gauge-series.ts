import type { TimeSpan, Windows } from '../../../calendar/interval.ts'
import { at, numberAt } from '../../../kernel/at.ts'
import { yieldIfDue } from '../../../kernel/time-slice.ts'
import type { GaugeCell } from '../reading/cell.ts'
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
  const { columns, totals } = await gaugeWindows(source, contributors, [...windows], combination, now)
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
    const { contributor, first, spans, ends, cells } = contribution
    const { seriesId } = contributor
    if (current?.seriesId !== seriesId || current?.first !== first) {
      finishSensor()
      current = { seriesId, first, stats: spans.map(() => EMPTY_STATS) }
    }
    const { stats } = current
    for (const [offset, span] of spans.entries()) {
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
  for (const [index, sum] of sums.entries()) {
    const { from, to } = at(windows, index)
    const gaps = uncovered[index]
    addWindow(columns, sum, gaps ? sumGaps(gaps, to) : to - from, to - from, combination)
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
  const gaps: number[] = []
  pushGap(gaps, window.from, span.from)
  for (let index = start; index < end; index += 1) {
    const { from, to } = at(units, index)
    const own = at(cells, index).gaps
    for (let gap = 0; gap < own.length; gap += 2)
      pushGap(gaps, from + numberAt(own, gap), Math.min(to, from + numberAt(own, gap + 1)))
  }
  pushGap(gaps, span.to, window.to)
  return gaps
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
): void =>
  addWindow(columns, new SensorSum().add(cell), sumGaps(cell.gaps, to - from), to - from, combination)

/** `totals`: the stats of each sensor over all windows. */
export function gaugeSummary(totals: readonly Stats[], combination: Combination): Summary {
  const sum = new SensorSum()
  for (const total of totals) sum.add(total)
  if (sum.isEmpty) return { mean: null, min: null, max: null }
  const { value, min, max } = sum.combine(combination)
  return { mean: value, min, max }
}

function addWindow(
  columns: GaugeColumns,
  sum: SensorSum,
  gapMs: number,
  lengthMs: number,
  combination: Combination,
): void {
  if (sum.isEmpty) {
    addMissingGaugeWindow(columns)
    return
  }
  const { value, min, max } = sum.combine(combination)
  columns.values.push(value)
  columns.mins.push(min)
  columns.maxs.push(max)
  columns.counts.push(sum.count)
  columns.sums.push(sum.count === 0 ? value : sum.sum)
  addCoverage(columns, gapMs, lengthMs, sum.count === 0)
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

/** Sums over several sensors in one window, added one sensor at a time. */
class SensorSum {
  /** Sums of the sensors' own values. */
  #means = 0
  #mins = 0
  #maxs = 0
  /** Of all readings or, if there are none, of all standing values. */
  #pooled = EMPTY_STATS

  /** Adds the stats of one sensor. */
  add(stats: Stats): this {
    const { count, sum, min, max, standing } = stats
    if (isEmpty(stats)) return this
    this.#means += sum / (count || standing)
    this.#mins += min
    this.#maxs += max
    this.#pooled = pool(this.#pooled, stats)
    return this
  }

  /** Number of readings. */
  get count(): number {
    return this.#pooled.count
  }

  /** Sum of the readings. */
  get sum(): number {
    return this.#pooled.sum
  }

  get isEmpty(): boolean {
    return isEmpty(this.#pooled)
  }

  combine(combination: Combination): { value: number; min: number; max: number } {
    if (combination === 'added')
      return { value: round6(this.#means), min: round6(this.#mins), max: round6(this.#maxs) }
    const { count, standing, sum, min, max } = this.#pooled
    return { value: round6(sum / (count || standing)), min, max }
  }
}

/** The stats of several sensors in the same window. Values that stand count only if there is no reading. */
function pool(a: Stats, b: Stats): Stats {
  if (a.count === 0 && b.count > 0) return b
  if (isEmpty(a)) return b
  if (a.count > 0 && b.count === 0) return a
  return {
    count: a.count + b.count,
    sum: a.sum + b.sum,
    min: Math.min(a.min, b.min),
    max: Math.max(a.max, b.max),
    standing: a.standing + b.standing,
  }
}
