import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { nameUuid } from '../../../src/demo/content/name-uuid.ts'
import { createAnswering } from '../../../src/demo/simulator/answering.ts'
import { type Answer, createSimulatedDevice } from '../../../src/demo/simulator/simulated-device.ts'
import { createLog } from '../../../src/lib/log.ts'
import { createClock } from '../../support/clock.ts'

const siteUuid = nameUuid('site')
const deviceUuid = nameUuid('valve')
const commandUuid = nameUuid('command')
const TOPIC = `portico/v1/${siteUuid}/${deviceUuid}/commands`
const STATUS = `${TOPIC}/${commandUuid}/status`
const timestamp = '2026-11-15T12:00:00.000Z'

/** A real device that answers in milliseconds. */
function createFixture(afterMs = 5) {
  const device = createSimulatedDevice({ deviceUuid, deviceType: 'trv', trouble: undefined })
  const quick = {
    ...device,
    answersTo: (...heard: Parameters<typeof device.answersTo>): Answer[] =>
      device
        .answersTo(...heard)
        .slice(0, 2)
        .map((answer) => ({ ...answer, afterMs })),
  }
  const said: [topic: string, message: unknown][] = []
  let failures = 0
  const answering = createAnswering(siteUuid, new Map([[deviceUuid, quick]]), {
    async publish(topic, payload) {
      if (failures > 0) {
        failures -= 1
        throw new Error('the connection was lost')
      }
      said.push([topic, JSON.parse(payload)])
    },
    clock: createClock(),
    log: createLog('silent'),
  })
  return {
    device,
    said,
    close: answering.close,
    fail: (times: number) => (failures = times),
    hear: (message: unknown, topic = TOPIC) => answering.hear(topic, Buffer.from(JSON.stringify(message))),
  }
}

const expiresAt = '2026-11-15T13:00:00Z'
const command = { commandUuid, type: 'resume', issuedAt: timestamp, expiresAt, schedule: {} }
const both = [
  [STATUS, { status: 'delivered', timestamp }],
  [STATUS, { status: 'confirmed', timestamp }],
]

async function saysSoMany(said: readonly unknown[], count: number): Promise<void> {
  while (said.length < count) await delay(10)
}

describe('what the simulator says to a command', () => {
  test('goes to the topic of that command, one answer after the other', async () => {
    const { hear, said } = createFixture()
    hear(command)
    await saysSoMany(said, 2)
    assert.deepEqual(said, both)
  })

  test('a rejection has its reason', async () => {
    const { hear, said, device } = createFixture()
    device.simulate({ mode: 'reject', delaySeconds: null })
    hear(command)
    await saysSoMany(said, 2)
    assert.deepEqual(said[1], [STATUS, { status: 'rejected', reason: 'the valve is stuck', timestamp }])
  })

  test('a repetition is answered again, but not before the first was answered', async () => {
    const { hear, said } = createFixture()
    hear(command)
    hear(command)
    await saysSoMany(said, 2)
    await delay(60)
    assert.equal(said.length, 2)
    hear(command)
    await saysSoMany(said, 4)
    assert.deepEqual(said, [...both, ...both])
  })

  test('a cancelled command gets no further word, nor does one of a device that went offline', async () => {
    const cancelled = createFixture(20)
    cancelled.hear(command)
    cancelled.hear({ type: 'cancel', cancels: commandUuid })
    const gone = createFixture(20)
    gone.hear(command)
    gone.device.simulate({ mode: 'offline', delaySeconds: null })
    await delay(80)
    assert.deepEqual([cancelled.said, gone.said], [[], []])
    gone.device.simulate({ mode: 'online', delaySeconds: null })
    gone.hear(command)
    await saysSoMany(gone.said, 2)
    assert.deepEqual(gone.said, both)
  })

  test('what the broker did not take is said again', async () => {
    const { hear, said, fail } = createFixture()
    fail(1)
    hear(command)
    await saysSoMany(said, 2)
    assert.deepEqual(said, both)
  })

  test('other devices, other topics and closing end in silence', async () => {
    const { hear, said, close } = createFixture(20)
    hear(command, TOPIC.replace(deviceUuid, nameUuid('nobody')))
    hear(command, 'portico/v1/x/commands')
    hear('no command')
    hear(command)
    close()
    await delay(60)
    assert.deepEqual(said, [])
  })
})
