import type { Readings } from '../../reading/packed-day.ts'

export interface JournalSeries extends Readings {
  seriesId: number
}

/** Layout, all as 64-bit floats: number of series; id and count of each; every instant; every value. */
export function packBatch(batch: readonly JournalSeries[]): Uint8Array {
  const count = batch.reduce((sum, { timestamps }) => sum + timestamps.length, 0)
  const numbers = new Float64Array(1 + 2 * batch.length + 2 * count)
  numbers[0] = batch.length
  let at = 1
  for (const { seriesId, timestamps } of batch) {
    numbers[at++] = seriesId
    numbers[at++] = timestamps.length
  }
  for (const { timestamps, values } of batch) {
    numbers.set(timestamps, at)
    numbers.set(values, at + count)
    at += timestamps.length
  }
  return new Uint8Array(numbers.buffer)
}

export function unpackBatch(bytes: Uint8Array): JournalSeries[] {
  // Copied: what SQLite hands out need not lie where 64-bit floats can be read.
  const numbers = new Float64Array(bytes.slice().buffer)
  const seriesCount = numbers[0] ?? 0
  const count = (numbers.length - 1 - 2 * seriesCount) / 2
  const batch: JournalSeries[] = []
  let at = 1 + 2 * seriesCount
  for (let index = 0; index < seriesCount; index += 1) {
    const seriesId = numbers[1 + 2 * index] ?? 0
    const length = numbers[2 + 2 * index] ?? 0
    const timestamps = Array.from(numbers.subarray(at, at + length))
    const values = Array.from(numbers.subarray(at + count, at + count + length))
    batch.push({ seriesId, timestamps, values })
    at += length
  }
  return batch
}
