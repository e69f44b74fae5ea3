import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inYieldingChunks } from '../../../../../src/domain/telemetry/ingest/yielding-chunks.ts'

test('other work runs after each chunk of a delivery that is already buffered', async () => {
  const pieces = [1, 2, 3].map((byte) => Uint8Array.of(byte))
  const seen: string[] = []
  async function* whole() {
    yield* pieces
  }
  setImmediate(() => seen.push('somebody else'))
  for await (const [byte] of inYieldingChunks(whole())) seen.push(String(byte))
  assert.deepEqual(seen, ['1', 'somebody else', '2', '3'])
})

test('a large chunk is split, and nothing of it is lost', async () => {
  const whole = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251)
  const pieces: Uint8Array[] = []
  const once = async function* (): AsyncGenerator<Uint8Array> {
    yield whole
  }
  for await (const piece of inYieldingChunks(once())) pieces.push(piece)
  assert.ok(pieces.length > 5)
  assert.deepEqual(Buffer.concat(pieces), Buffer.from(whole))
})
