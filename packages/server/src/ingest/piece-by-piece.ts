import { setImmediate as nextTurn } from 'node:timers/promises'

/** A stream with a turn of the event loop after each piece: a long delivery lets everybody else in between. */
export async function* pieceByPiece(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of source) {
    yield piece
    await nextTurn()
  }
}
