import { setImmediate as nextTurn } from 'node:timers/promises'

/** Some three hundred readings: half a millisecond. */
const MAX_PIECE_BYTES = 16 * 1024

/** A stream with a turn of the event loop after each small piece: a long delivery lets everybody else in between. */
export async function* inYieldingChunks(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const whole of source) {
    for (let from = 0; from < whole.length; from += MAX_PIECE_BYTES) {
      yield whole.subarray(from, from + MAX_PIECE_BYTES)
      await nextTurn()
    }
  }
}
