import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RejectedMessage } from '../../src/rejected/rejected.ts'
import { MAX_REJECTED } from '../../src/rejected/store.ts'
import { BACKENDS } from '../support/backends.ts'
import { NOON } from '../support/seed.ts'

const rejected = (topic: string): RejectedMessage => ({
  at: NOON,
  topic,
  reason: 'not-json',
  message: 'The payload is not JSON.',
  payload: 'é\\x00',
  payloadBytes: 3,
  gatewayUuid: null,
})

for (const backend of BACKENDS) {
  describe(`rejected messages on ${backend.name}`, () => {
    test('come back as they went in, newest first, in pages', async (t) => {
      const store = await backend.open(t)
      await store.rejected.add([rejected('a'), rejected('b')])
      await store.rejected.add([rejected('c')])
      const first = await store.rejected.list({ before: undefined, limit: 2 })
      const second = await store.rejected.list({ before: first.at(-1)?.id, limit: 2 })
      const { id: _, ...entry } = second[0] ?? assert.fail()
      assert.deepEqual(entry, rejected('a'))
      assert.deepEqual(
        first.map(({ topic }) => topic),
        ['c', 'b'],
      )
    })

    test('the newest ten thousand stay', async (t) => {
      const store = await backend.open(t)
      const many = Array.from({ length: MAX_REJECTED }, (_, index) => rejected(String(index)))
      await store.rejected.add(many)
      await store.rejected.add([rejected('x'), rejected('y')])
      const all = await store.rejected.list({ before: undefined, limit: 2 * MAX_REJECTED })
      assert.equal(all.length, MAX_REJECTED)
      assert.deepEqual([all[0]?.topic, all.at(-1)?.topic], ['y', '2'])
    })
  })
}
