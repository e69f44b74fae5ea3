import { float64At, numberAt } from '../../../kernel/at.ts'
import type { Readings } from '../../../domain/telemetry/reading/packed-day.ts'
import type { SeriesReadings } from '../../../domain/telemetry/reading/store.ts'

export interface JournalSeries extends Readings {
  seriesId: number
}

/** Readings of several series in one buffer, as they are sent to the writer and stored in the journal. */
export interface JournalBatch {
  /** Pairs of a series id and its number of readings. */
  heads: Float64Array
  /** Grouped by series, each in order of time. */
  timestamps: Float64Array
  values: Float64Array
}

/** Layout, all as 64-bit floats: number of series; id and count of each; every instant; every value. */
export function packBatch(batch: readonly SeriesReadings[]): Uint8Array {
  let count = 0
  for (const { timestamps } of batch) count += timestamps.length
  const numbers = new Float64Array(1 + 2 * batch.length + 2 * count)
  numbers[0] = batch.length
  let head = 1
  let at = 1 + 2 * batch.length
  for (const { seriesId, timestamps, values } of batch) {
    numbers[head++] = seriesId
    numbers[head++] = timestamps.length
    for (let index = 0; index < timestamps.length; index += 1) {
      numbers[at + count] = numberAt(values, index)
      numbers[at++] = numberAt(timestamps, index)
    }
  }
  return new Uint8Array(numbers.buffer)
}

export function unpackBatch(bytes: Uint8Array): JournalBatch {
  // Bytes from SQLite or another thread may not be aligned for 64-bit floats.
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice()
  const numbers = new Float64Array(buffer, byteOffset, byteLength / 8)
  const start = 1 + 2 * float64At(numbers, 0)
  const count = (numbers.length - start) / 2
  return {
    heads: numbers.subarray(1, start),
    timestamps: numbers.subarray(start, start + count),
    values: numbers.subarray(start + count),
  }
}

/** The first and last instant of a batch, whatever the order of its series. */
export function batchSpan({ timestamps }: JournalBatch): { firstAt: number; lastAt: number } {
  let [firstAt, lastAt] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const at of timestamps) {
    if (at < firstAt) firstAt = at
    if (at > lastAt) lastAt = at
  }
  return timestamps.length === 0 ? { firstAt: 0, lastAt: 0 } : { firstAt, lastAt }
}

/** Calls back with each series and the index range of its readings. */
export function forEachSeries(
  { heads }: JournalBatch,
  visit: (seriesId: number, from: number, to: number) => void,
): void {
  let from = 0
  for (let head = 0; head < heads.length; head += 2) {
    const to = from + float64At(heads, head + 1)
    visit(float64At(heads, head), from, to)
    from = to
  }
}
