import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { nameUuid } from '../../src/content/name-uuid.ts'
import { createCommandResponder } from '../../src/simulator/command-responder.ts'
import { type DeviceReply, createSimulatedDevice } from '../../src/simulator/simulated-device.ts'
import { createLog } from '@portico/server/kernel/log'
import { createClock } from '../../../server/test/support/clock.ts'

const siteUuid = nameUuid('site')
const deviceUuid = nameUuid('valve')
const commandUuid = nameUuid('command')
const TOPIC = `portico/v1/${siteUuid}/${deviceUuid}/commands`
const STATUS = `${TOPIC}/${commandUuid}/status`
const timestamp = '2026-11-15T12:00:00.000Z'

/** A real device that responds within milliseconds. */
function createFixture(afterMs = 5) {
  const device = createSimulatedDevice({ deviceUuid, deviceType: 'trv', trouble: undefined })
  const quick = {
    ...device,
    repliesTo: (...received: Parameters<typeof device.repliesTo>): DeviceReply[] =>
      device
        .repliesTo(...received)
        .slice(0, 2)
        .map((reply) => ({ ...reply, afterMs })),
  }
  const published: [topic: string, message: unknown][] = []
  let failures = 0
  const answering = createCommandResponder(siteUuid, new Map([[deviceUuid, quick]]), {
    async publish(topic, payload) {
      if (failures > 0) {
        failures -= 1
        throw new Error('the connection was lost')
      }
      published.push([topic, JSON.parse(payload)])
    },
    clock: createClock(),
    log: createLog('silent'),
  })
  return {
    device,
    published,
    close: answering.close,
    fail: (times: number) => (failures = times),
    receive: (message: unknown, topic = TOPIC) =>
      answering.receive(topic, Buffer.from(JSON.stringify(message))),
  }
}

const expiresAt = '2026-11-15T13:00:00Z'
const command = { commandUuid, type: 'resume', issuedAt: timestamp, expiresAt, schedule: {} }
const both = [
  [STATUS, { status: 'delivered', timestamp }],
  [STATUS, { status: 'confirmed', timestamp }],
]

async function saysSoMany(published: readonly unknown[], count: number): Promise<void> {
  while (published.length < count) await delay(10)
}

describe('the simulator’s response to a command', () => {
  test('is published on the topic of that command, one status after another', async () => {
    const { receive, published } = createFixture()
    receive(command)
    await saysSoMany(published, 2)
    assert.deepEqual(published, both)
  })

  test('a rejection has its reason', async () => {
    const { receive, published, device } = createFixture()
    device.simulate({ mode: 'reject', delaySeconds: null })
    receive(command)
    await saysSoMany(published, 2)
    assert.deepEqual(published[1], [STATUS, { status: 'rejected', reason: 'the valve is stuck', timestamp }])
  })

  test('a repetition gets a response, but not before the first command has got its own', async () => {
    const { receive, published } = createFixture()
    receive(command)
    receive(command)
    await saysSoMany(published, 2)
    await delay(60)
    assert.equal(published.length, 2)
    receive(command)
    await saysSoMany(published, 4)
    assert.deepEqual(published, [...both, ...both])
  })

  test('a cancelled command gets no further response, nor does one of a device that went offline', async () => {
    const cancelled = createFixture(20)
    cancelled.receive(command)
    cancelled.receive({ type: 'cancel', cancels: commandUuid })
    const gone = createFixture(20)
    gone.receive(command)
    gone.device.simulate({ mode: 'offline', delaySeconds: null })
    await delay(80)
    assert.deepEqual([cancelled.published, gone.published], [[], []])
    gone.device.simulate({ mode: 'online', delaySeconds: null })
    gone.receive(command)
    await saysSoMany(gone.published, 2)
    assert.deepEqual(gone.published, both)
  })

  test('a status that the broker did not accept is published again', async () => {
    const { receive, published, fail } = createFixture()
    fail(1)
    receive(command)
    await saysSoMany(published, 2)
    assert.deepEqual(published, both)
  })

  test('nothing is published for other devices and topics, or after closing', async () => {
    const { receive, published, close } = createFixture(20)
    receive(command, TOPIC.replace(deviceUuid, nameUuid('nobody')))
    receive(command, 'portico/v1/x/commands')
    receive('no command')
    receive(command)
    close()
    await delay(60)
    assert.deepEqual(published, [])
  })
})
