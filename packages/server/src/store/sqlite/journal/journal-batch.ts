import { float64At } from '../../../kernel/at.ts'
import type { ReadingBatch } from '../../../domain/telemetry/reading/batch.ts'

/**
 * A batch in one buffer, as it is sent to the writer and stored in the journal. Layout, all as 64-bit floats: number of
 * series; id and count of each; every instant; every value.
 */
export function packBatch({ heads, timestamps, values }: ReadingBatch): Uint8Array {
  const numbers = new Float64Array(1 + heads.length + 2 * timestamps.length)
  numbers[0] = heads.length / 2
  numbers.set(heads, 1)
  numbers.set(timestamps, 1 + heads.length)
  numbers.set(values, 1 + heads.length + timestamps.length)
  return new Uint8Array(numbers.buffer)
}

/** The batch in the bytes, which it shares if they are aligned. */
export function unpackBatch(bytes: Uint8Array): ReadingBatch {
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
export function batchSpan({ timestamps }: ReadingBatch): { firstAt: number; lastAt: number } {
  let [firstAt, lastAt] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const at of timestamps) {
    if (at < firstAt) firstAt = at
    if (at > lastAt) lastAt = at
  }
  return timestamps.length === 0 ? { firstAt: 0, lastAt: 0 } : { firstAt, lastAt }
}
