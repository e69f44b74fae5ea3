import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { systemClock } from '../../src/kernel/clock.ts'
import { createLog } from '../../src/kernel/log.ts'
import { createMetrics } from '../../src/kernel/metrics.ts'
import { createRejections } from '../../src/mqtt/handlers/rejections.ts'
import {
  MAX_REJECTED,
  type RejectedMessage,
  type RejectedPage,
} from '../../src/domain/telemetry/ingest/rejected.ts'
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
    test('are returned as stored, newest first, in pages', async (t) => {
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

    test('are found by reason, text and time', async (t) => {
      const { rejected: store } = await backend.open(t)
      await store.add([
        { ...rejected('site/One'), payload: 'Hello 50%' },
        {
          ...rejected('site/two'),
          at: NOON + 1,
          reason: 'unknown-device',
          message: 'The device is unknown.',
        },
        { ...rejected('site/three'), at: NOON + 2 },
      ])
      const find = async (filter: Omit<RejectedPage, 'before' | 'limit'>): Promise<string[]> =>
        (await store.list({ before: undefined, limit: 10, ...filter })).map(({ topic }) => topic)
      assert.deepEqual(await find({ reason: 'not-json' }), ['site/three', 'site/One'])
      assert.deepEqual(await find({ search: 'ONE' }), ['site/One'])
      assert.deepEqual(await find({ search: 'hello' }), ['site/One'])
      assert.deepEqual(await find({ search: '%' }), ['site/One'])
      assert.deepEqual(await find({ search: 'device is' }), ['site/two'])
      assert.deepEqual(await find({ from: NOON + 1 }), ['site/three', 'site/two'])
      assert.deepEqual(await find({ from: NOON + 1, reason: 'not-json', search: 'three' }), ['site/three'])
      const [newest] = await store.list({ before: undefined, limit: 1, reason: 'not-json' })
      const later = await store.list({ before: newest?.id, limit: 1, reason: 'not-json' })
      assert.deepEqual(
        later.map(({ topic }) => topic),
        ['site/One'],
      )
    })

    test('of a device are those on its topics, unless their sender may not use them', async (t) => {
      const { rejected: store } = await backend.open(t)
      await store.add([
        rejected('root/site/device/readings'),
        rejected('root/site/other/readings'),
        { ...rejected('root/site/device/readings'), reason: 'forbidden-topic' },
        rejected('root/site/device/presence'),
        rejected('prefix/root/site/device/readings'),
        rejected('root/site/device'),
      ])
      const topicPrefix = 'root/site/device/'
      const all = await store.listForDevice({ topicPrefix, before: undefined, limit: 9 })
      assert.deepEqual(
        all.map(({ topic }) => topic),
        ['root/site/device/presence', 'root/site/device/readings'],
      )
      assert.deepEqual(await store.listForDevice({ topicPrefix, before: all[0]?.id, limit: 9 }), all.slice(1))
      assert.deepEqual(
        await store.listForDevice({ topicPrefix, before: undefined, limit: 1 }),
        all.slice(0, 1),
      )
    })

    test('are counted by reason since an instant', async (t) => {
      const { rejected: store } = await backend.open(t)
      const late = { ...rejected('b'), at: NOON + 1 }
      await store.add([rejected('a'), late, { ...late, reason: 'unknown-device' }, late])
      assert.deepEqual(await store.countByReason(NOON + 1), [
        { reason: 'not-json', messages: 2 },
        { reason: 'unknown-device', messages: 1 },
      ])
      assert.deepEqual(await store.countByReason(NOON + 2), [])
    })

    test('concurrent batches keep their order, and pages miss none of it', async (t) => {
      const { rejected: store } = await backend.open(t)
      const batches = ['a', 'b', 'c', 'd', 'e'].map((name) =>
        [1, 2, 3].map((index) => rejected(name + index)),
      )
      await Promise.all(batches.map((batch) => store.add(batch)))
      const seen: string[] = []
      for (let before: number | undefined; ; ) {
        const page = await store.list({ before, limit: 4 })
        if (page.length === 0) break
        seen.push(...page.map(({ topic }) => topic))
        before = page.at(-1)?.id
      }
      assert.equal(seen.length, 15)
      for (const batch of batches) {
        const topics = batch.map(({ topic }) => topic)
        assert.deepEqual(
          seen.filter((topic) => topics.includes(topic)),
          topics.toReversed(),
        )
      }
    })

    test('of a batch that cannot be stored completely nothing is stored', async (t) => {
      const { rejected: store } = await backend.open(t)
      const broken = { ...rejected('b'), topic: null as unknown as string }
      await assert.rejects(store.add([rejected('a'), broken]))
      assert.deepEqual(await store.list({ before: undefined, limit: 10 }), [])
      await store.add([])
      await store.add([{ ...rejected('c'), gatewayUuid: 'g' }])
      assert.deepEqual(
        (await store.list({ before: undefined, limit: 10 })).map(({ gatewayUuid }) => gatewayUuid),
        ['g'],
      )
    })

    test('a topic that no store could hold is shown with what was wrong with it', async (t) => {
      const { rejected: store } = await backend.open(t)
      const rejections = createRejections({
        store,
        clock: systemClock,
        log: createLog('silent'),
        metrics: createMetrics(),
      })
      const message = {
        payload: Buffer.from('\0'),
        payloadBytes: 1,
        isDuplicate: false,
        isRetainedCopy: false,
      }
      await rejections.add(
        { ...message, topic: 'a\0b', gateway: undefined },
        { code: 'unknown-topic', message: 'No.' },
      )
      const [stored] = await store.list({ before: undefined, limit: 1 })
      assert.deepEqual([stored?.topic, stored?.payload], ['a\\x00b', '\\x00'])
    })

    test('the newest ten thousand are retained', async (t) => {
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
