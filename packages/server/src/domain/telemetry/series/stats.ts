import { type GaugeCell, NO_GAUGE } from '../reading/cell.ts'
import { type Columns, SUSPECT } from './columns.ts'

/** Count, sum, minimum and maximum of the measurements in some windows. */
export type Stats = Omit<GaugeCell, 'quarters'>

/** Stats with the part of the sum that is in suspect windows. */
export interface SeriesStats extends Stats {
  suspectSum: number
}

export const EMPTY_STATS: Stats = NO_GAUGE

/** Numbers per window in a flat list: count, sum, min, max, and the sum again if the window is suspect. */
export const STATS_PER_WINDOW = 5

/** Merges the stats of consecutive windows or of several placements of one device. */
export function mergeStats(a: Stats, b: Stats): Stats {
  if (a.count === 0) return b
  if (b.count === 0) return a
  return {
    count: a.count + b.count,
    sum: a.sum + b.sum,
    min: Math.min(a.min, b.min),
    max: Math.max(a.max, b.max),
  }
}

/**
 * Merges the stats of consecutive windows without an object for each window. Windows are added one by one and in order,
 * so that a summary is identical to the last digit however the windows were read.
 */
export class StatsAccumulator {
  #count = 0
  #sum = 0
  #min = Number.POSITIVE_INFINITY
  #max = Number.NEGATIVE_INFINITY
  #suspectSum = 0

  add(count: number, sum: number, min: number, max: number, suspectSum: number): void {
    if (count === 0) return
    this.#count += count
    this.#sum += sum
    this.#suspectSum += suspectSum
    if (min < this.#min) this.#min = min
    if (max > this.#max) this.#max = max
  }

  addColumns(columns: Columns, from: number, to: number): void {
    const { values, counts, sums, mins = values, maxs = values } = columns
    for (let window = from; window < to; window += 1)
      this.add(
        counts[window] ?? Number.NaN,
        sums[window] ?? Number.NaN,
        mins[window] ?? Number.NaN,
        maxs[window] ?? Number.NaN,
        suspectSumIn(columns, window),
      )
  }

  /** Adds from a flat list with `STATS_PER_WINDOW` numbers for each window. */
  addFlat(list: readonly number[], from: number, to: number): void {
    let [count, sum, min, max] = [this.#count, this.#sum, this.#min, this.#max]
    let suspectSum = this.#suspectSum
    for (let at = from; at < to; at += STATS_PER_WINDOW) {
      const own = list[at] ?? Number.NaN
      if (own === 0) continue
      count += own
      sum += list[at + 1] ?? Number.NaN
      const [lowest, highest] = [list[at + 2] ?? Number.NaN, list[at + 3] ?? Number.NaN]
      if (lowest < min) min = lowest
      if (highest > max) max = highest
      suspectSum += list[at + 4] ?? Number.NaN
    }
    this.#count = count
    this.#sum = sum
    this.#min = min
    this.#max = max
    this.#suspectSum = suspectSum
  }

  total(): SeriesStats {
    return {
      count: this.#count,
      sum: this.#sum,
      min: this.#min,
      max: this.#max,
      suspectSum: this.#suspectSum,
    }
  }
}

/** The sum of a window if it is suspect, otherwise 0. */
export const suspectSumIn = ({ quality, sums }: Columns, window: number): number =>
  quality[window] === SUSPECT ? (sums[window] ?? Number.NaN) : 0
