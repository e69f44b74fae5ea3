import { float64At, numberAt } from '../../../kernel/at.ts'

export interface SeriesReadings {
  seriesId: number
  /** Epoch milliseconds, strictly ascending. */
  timestamps: ArrayLike<number>
  values: ArrayLike<number>
}

/**
 * Readings of several series in columns: a batch has thousands of series with one reading each, and an object for each
 * of them would be most of the garbage of an import.
 */
export interface ReadingBatch {
  /** Pairs of a series id and its number of readings. */
  heads: Float64Array
  /** Epoch milliseconds, grouped by series, strictly ascending in each. */
  timestamps: Float64Array
  values: Float64Array
}

export function toReadingBatch(series: readonly SeriesReadings[]): ReadingBatch {
  let count = 0
  for (const { timestamps } of series) count += timestamps.length
  const batch = createBatch(series.length, count)
  let head = 0
  let place = 0
  for (const { seriesId, timestamps, values } of series) {
    batch.heads[head++] = seriesId
    batch.heads[head++] = timestamps.length
    for (let index = 0; index < timestamps.length; index += 1) {
      batch.timestamps[place] = numberAt(timestamps, index)
      batch.values[place++] = numberAt(values, index)
    }
  }
  return batch
}

const createBatch = (seriesCount: number, count: number): ReadingBatch => ({
  heads: new Float64Array(2 * seriesCount),
  timestamps: new Float64Array(count),
  values: new Float64Array(count),
})

/** Collects at most `capacity` readings, in order of series and time. */
export interface BatchBuilder {
  /** A second value of an instant replaces the first. */
  put(seriesId: number, at: number, value: number): void
  /** The batch shares its memory with the builder, which must not be used afterwards. */
  finish(): ReadingBatch
}

export function createBatchBuilder(capacity: number): BatchBuilder {
  const { heads, timestamps, values } = createBatch(capacity, capacity)
  let head = -2
  let count = 0
  return {
    put(seriesId, at, value) {
      const isFirst = head < 0 || heads[head] !== seriesId
      if (!isFirst && timestamps[count - 1] === at) {
        values[count - 1] = value
        return
      }
      if (isFirst) {
        head += 2
        heads[head] = seriesId
      }
      heads[head + 1] = float64At(heads, head + 1) + 1
      timestamps[count] = at
      values[count++] = value
    },
    finish: () => ({
      heads: heads.subarray(0, head + 2),
      timestamps: timestamps.subarray(0, count),
      values: values.subarray(0, count),
    }),
  }
}

/** Calls back with each series and the index range of its readings. */
export function forEachSeries(
  { heads }: ReadingBatch,
  visit: (seriesId: number, from: number, to: number) => void,
): void {
  let from = 0
  for (let head = 0; head < heads.length; head += 2) {
    const to = from + float64At(heads, head + 1)
    visit(float64At(heads, head), from, to)
    from = to
  }
}
