import { type GaugeCell, NO_GAUGE } from '../reading/cell.ts'
import { type Columns, SUSPECT } from './columns.ts'

/**
 * Count, sum, minimum and maximum of the readings in some windows or, if there are none, of the carried-over values.
 */
export type Stats = Omit<GaugeCell, 'gaps'>

/** Stats with the part of the sum that is in suspect windows. */
export interface SeriesStats extends Stats {
  suspectSum: number
}

export const EMPTY_STATS: Stats = NO_GAUGE

/** Numbers per window in a flat list: count, sum, min, max, and the sum again if the window is suspect. */
export const STATS_PER_WINDOW = 5

/** Merges the stats of consecutive windows or of several placements of one device. */
export function mergeStats(a: Stats, b: Stats): Stats {
  // Without a reading in between, every value carried over into the later window is also valid in the earlier one.
  if (a.count === 0) return b.count === 0 && a.standing > 0 ? a : b
  if (b.count === 0) return a
  return {
    count: a.count + b.count,
    sum: a.sum + b.sum,
    min: Math.min(a.min, b.min),
    max: Math.max(a.max, b.max),
    standing: 0,
  }
}

export const isEmpty = ({ count, standing }: Stats): boolean => count === 0 && standing === 0

/**
 * Merges the stats of consecutive windows without an object for each window. Windows are added one by one and in order,
 * so that a summary is identical to the last digit however the windows were read.
 */
export class StatsAccumulator {
  #count = 0
  #sum = 0
  #min = Number.POSITIVE_INFINITY
  #max = Number.NEGATIVE_INFINITY
  /** The first window that has no reading but a carried-over value. */
  #standing: Stats | undefined
  #suspectSum = 0

  /** A count of 0 with a minimum that is a number means that the window has no reading, but carried-over values. */
  add(count: number, sum: number, min: number, max: number, suspectSum: number): void {
    if (count === 0) {
      if (!this.#standing && !Number.isNaN(min)) this.#standing = { count, sum, min, max, standing: 1 }
      return
    }
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
    for (let at = from; at < to; at += STATS_PER_WINDOW)
      this.add(
        list[at] ?? Number.NaN,
        list[at + 1] ?? Number.NaN,
        list[at + 2] ?? Number.NaN,
        list[at + 3] ?? Number.NaN,
        list[at + 4] ?? Number.NaN,
      )
  }

  total(): SeriesStats {
    if (this.#count === 0 && this.#standing) return { ...this.#standing, suspectSum: 0 }
    return {
      count: this.#count,
      sum: this.#sum,
      min: this.#min,
      max: this.#max,
      standing: 0,
      suspectSum: this.#suspectSum,
    }
  }
}

/** The sum of a window if it is suspect, otherwise 0. */
export const suspectSumIn = ({ quality, sums }: Columns, window: number): number =>
  quality[window] === SUSPECT ? (sums[window] ?? Number.NaN) : 0
