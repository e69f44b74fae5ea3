import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createPushedChunks } from '../../../src/kernel/pushed-chunks.ts'

test('a chunk is accepted when the consumer asks for the next one', async () => {
  const { chunks, push, end } = createPushedChunks()
  const seen: number[] = []
  const reading = Promise.withResolvers<void>()
  const consumed = (async () => {
    for await (const [byte = 0] of chunks) {
      seen.push(byte)
      if (byte === 1) await reading.promise
    }
  })()
  let isAccepted = false
  const accepted = push(Uint8Array.of(1)).then((wantsMore) => {
    isAccepted = true
    return wantsMore
  })
  await nextTurn()
  assert.deepEqual([seen, isAccepted], [[1], false])
  reading.resolve()
  assert.equal(await accepted, true)
  assert.equal(await push(Uint8Array.of(2)), true)
  end()
  await consumed
  assert.deepEqual(seen, [1, 2])
})

test('a consumer that fails accepts no more', async () => {
  const { chunks, push } = createPushedChunks()
  const consumed = (async () => {
    for await (const chunk of chunks) throw new Error(`${chunk.length} bytes are too many`)
  })()
  consumed.catch(() => {})
  assert.equal(await push(Uint8Array.of(1)), false)
  await assert.rejects(consumed, /1 bytes/)
  assert.equal(await push(Uint8Array.of(2)), false)
})

test('the consumer gets the error with which the chunks end', async () => {
  const { chunks, push, end } = createPushedChunks()
  const consumed = (async () => {
    for await (const chunk of chunks) assert.equal(chunk.length, 1)
  })()
  assert.equal(await push(Uint8Array.of(1)), true)
  end(new Error('the connection was closed'))
  await assert.rejects(consumed, /connection/)
})
