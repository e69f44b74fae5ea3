import { setImmediate as nextTurn } from 'node:timers/promises'

/** About 300 readings, which take half a millisecond. */
const MAX_PIECE_BYTES = 16 * 1024

/** Splits a stream into small chunks and yields to the event loop between them, so that a long import blocks nothing. */
export async function* inYieldingChunks(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const whole of source) {
    for (let from = 0; from < whole.length; from += MAX_PIECE_BYTES) {
      yield whole.subarray(from, from + MAX_PIECE_BYTES)
      await nextTurn()
    }
  }
}
