import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Clock, systemClock } from '../../../src/kernel/clock.ts'
import { createLog } from '../../../src/kernel/log.ts'
import { createMetrics } from '../../../src/kernel/metrics.ts'
import type { MqttMessage } from '../../../src/mqtt/brokers/broker.ts'
import { createMessageRouter, type Handlers } from '../../../src/mqtt/message-router.ts'
import { createClock } from '../../support/clock.ts'

const SITE = '00000000-0000-4000-8000-00000000000a'
const UNIT = '00000000-0000-4000-8000-00000000000b'

const message = (kind: string, payload = 'x', site = SITE): MqttMessage => ({
  topic: `portico/v1/${site}/${UNIT}/${kind}`,
  payload: Buffer.from(payload),
  payloadBytes: payload.length,
  isDuplicate: false,
  isRetainedCopy: false,
  gateway: undefined,
})

function createFixture(handlers: Handlers, clock: Clock = systemClock) {
  const refused: string[] = []
  const stopping = new AbortController()
  const receive = createMessageRouter({
    handlers,
    rejections: { add: async (_message, { code }) => void refused.push(code) },
    clock,
    log: createLog('silent'),
    metrics: createMetrics(),
    signal: stopping.signal,
  })
  return { receive, refused, stopping }
}

test('a message is tried until the store takes it, and only then answered', async () => {
  let failures = 3
  const { receive, refused } = createFixture({
    readings: async () => {
      if (failures-- > 0) throw new Error('the store is away')
      return {}
    },
  })
  assert.equal(await receive(message('readings')), 'accepted')
  assert.equal(failures, -1)
  assert.deepEqual(refused, [])
})

test('at a stop a message that could not be stored is not answered', async () => {
  const { receive, stopping } = createFixture({
    readings: () => Promise.reject(new Error('the store is away')),
  })
  const received = receive(message('readings'))
  stopping.abort()
  await assert.rejects(received, /the store is away/)
})

test('messages of a device are dealt with in their order, also when the first has to wait', async () => {
  const order: string[] = []
  let isAway = true
  const { receive } = createFixture({
    readings: async (_topic, { payload }) => {
      if (isAway) {
        isAway = false
        throw new Error('the store is away')
      }
      order.push(payload.toString())
      return {}
    },
  })
  await Promise.all(['1', '2', '3'].map((payload) => receive(message('readings', payload))))
  assert.deepEqual(order, ['1', '2', '3'])
})

test('a message was heard when it came, however long it waited for its device and for the store', async () => {
  const clock = createClock()
  const [first, second] = [clock.at, clock.at + 1]
  const received: number[] = []
  let isAway = true
  const { receive } = createFixture(
    {
      presence: async (_topic, _message, receivedAt) => {
        if (isAway) {
          isAway = false
          clock.at += 60_000
          throw new Error('the store is away')
        }
        received.push(receivedAt)
        return {}
      },
    },
    clock,
  )
  const receiving = [receive(message('presence'))]
  clock.at = second
  receiving.push(receive(message('presence')))
  await Promise.all(receiving)
  assert.deepEqual(received, [first, second])
})

test('a mistake of ours refuses the message instead of holding up those behind it', async () => {
  const { receive, refused } = createFixture({
    readings: async () => {
      throw new TypeError('undefined is not a function')
    },
  })
  assert.equal(await receive(message('readings')), 'rejected')
  assert.deepEqual(refused, ['failed'])
})

test('a kind that nothing listens to is refused, and so is a command that somebody else sends', async () => {
  const { receive, refused } = createFixture({})
  assert.equal(await receive(message('readings')), 'rejected')
  assert.equal(await receive(message('commands')), 'rejected')
  assert.deepEqual(refused, ['unknown-topic', 'forbidden-topic'])
})

test('a device does not wait for messages that name it under another site', async () => {
  const stuck = Promise.withResolvers<object>()
  const { receive } = createFixture({
    readings: ({ siteUuid }) => (siteUuid === SITE ? Promise.resolve({}) : stuck.promise),
  })
  const other = receive(message('readings', 'x', '00000000-0000-4000-8000-0000000000ff'))
  assert.equal(await receive(message('readings')), 'accepted')
  stuck.resolve({})
  await other
})

test('a topic whose UUIDs are in upper case is refused with a reason of its own', async () => {
  const { receive, refused } = createFixture({ readings: async () => ({}) })
  assert.equal(await receive(message('readings', 'x', SITE.toUpperCase())), 'rejected')
  assert.deepEqual(refused, ['non-canonical-topic'])
})
