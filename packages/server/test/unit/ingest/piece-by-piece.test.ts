import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pieceByPiece } from '../../../src/ingest/piece-by-piece.ts'

test('whoever waits gets a turn after each piece of a delivery that is there as a whole', async () => {
  const pieces = [1, 2, 3].map((byte) => Uint8Array.of(byte))
  const seen: string[] = []
  async function* whole() {
    yield* pieces
  }
  setImmediate(() => seen.push('somebody else'))
  for await (const [byte] of pieceByPiece(whole())) seen.push(String(byte))
  assert.deepEqual(seen, ['1', 'somebody else', '2', '3'])
})
