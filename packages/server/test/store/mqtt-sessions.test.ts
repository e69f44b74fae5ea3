import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { connect, connectAsync, type MqttClient } from 'mqtt'
import { createLeases, type Leases } from '../../src/domain/coordination/leases.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import { createLog } from '../../src/kernel/log.ts'
import { createMetrics } from '../../src/kernel/metrics.ts'
import { connectSharedBroker } from '../../src/mqtt/brokers/external-shared.ts'
import type { Broker } from '../../src/mqtt/brokers/broker.ts'
import { openExternalBroker } from '../../src/mqtt/brokers/external.ts'
import { toTopic } from '../../src/mqtt/topics.ts'
import { startMosquitto } from '../support/mosquitto.ts'
import { migratedDatabase } from '../support/postgres.ts'

const PREFIX = 'portico-test-'
const LEFT = `${PREFIX}left`
const KINDS = ['readings', 'presence'] as const
const [SITE, DEVICE] = [newUuid(), newUuid()]
const READINGS = toTopic('readings', SITE, DEVICE)
const PRESENCE = toTopic('presence', SITE, DEVICE)
const log = createLog('silent')

async function until(condition: () => unknown): Promise<void> {
  while (!(await condition())) await delay(20)
}

async function setUp(t: TestContext) {
  const url = await startMosquitto(t)
  const database = await migratedDatabase(t)
  const store = database.open().shared?.leases ?? assert.fail()
  const newLeases = (): Leases => createLeases(store, systemClock)
  const received: string[] = []
  /** Payloads that cannot be processed once. */
  const failing = new Set<string>()
  const events = {
    receive: async ({ payload }: { payload: Buffer }) => {
      if (failing.delete(payload.toString())) throw new Error('The store is unavailable.')
      received.push(payload.toString())
      return 'accepted' as const
    },
    onConnected() {},
    log,
    metrics: createMetrics(),
  }
  const join = async (leases = newLeases()): Promise<Broker> => {
    const broker = await connectSharedBroker({ url, prefix: PREFIX, kinds: KINDS, leases }, events)
    t.after(() => broker.close())
    await until(() => broker.isConnected())
    return broker
  }
  const device: MqttClient = await connectAsync(url)
  t.after(() => device.endAsync())
  const say = (topic: string, payload: string) => device.publishAsync(topic, payload, { qos: 1 })
  /** A session with queued messages and no connected client; returns how to release its lease. */
  const leaveSession = async (): Promise<() => Promise<void>> => {
    const gone = newLeases()
    await gone.acquire(LEFT)
    const broker = openExternalBroker({ url, clientId: LEFT, kinds: KINDS }, events)
    await until(() => broker.isConnected())
    await broker.close()
    return () => gone.release(LEFT)
  }
  return { url, store, newLeases, received, failing, join, say, leaveSession }
}

describe('sessions of several instances on an external broker', () => {
  test('messages of an abandoned session are taken over once, except for presence, and the session is ended', async (t) => {
    const { url, store, received, join, say, leaveSession } = await setUp(t)
    const release = await leaveSession()
    await join()
    const numbers = Array.from({ length: 10 }, (_, index) => `reading ${index}`)
    for (const text of numbers) await say(READINGS, text)
    await say(PRESENCE, 'online')
    await until(() => received.length === 6)
    assert.ok(received.includes('online'))
    await release()
    await until(() => received.length === 11)
    await say(READINGS, 'a later one')
    await until(async () => !(await store.listFree('', Number.MAX_SAFE_INTEGER)).includes(LEFT))
    assert.deepEqual(received.toSorted(), [...numbers, 'a later one', 'online'].toSorted())
    const again = connect(url, { clientId: LEFT, clean: false })
    const { sessionPresent } = await new Promise<{ sessionPresent: boolean }>((resolve) =>
      again.once('connect', resolve),
    )
    again.end()
    assert.equal(sessionPresent, false)
  })

  test('an abandoned session is not ended while a message in it could not be processed', async (t) => {
    const { store, received, failing, join, say, leaveSession } = await setUp(t)
    const release = await leaveSession()
    await say(READINGS, 'reading')
    failing.add('reading')
    await join()
    await release()
    await until(async () => !(await store.listFree('', Number.MAX_SAFE_INTEGER)).includes(LEFT))
    assert.deepEqual(received, ['reading'])
  })

  test('an instance that starts resumes a session without a lease', async (t) => {
    const { store, received, join, say, leaveSession } = await setUp(t)
    await (await leaveSession())()
    await say(READINGS, 'meanwhile')
    await join()
    await until(() => received.includes('meanwhile'))
    assert.deepEqual(await store.listFree('', Number.MAX_SAFE_INTEGER), [LEFT], 'there is no other')
  })

  test('an instance whose session was taken over continues with a new one', async (t) => {
    const { store, received, join, say } = await setUp(t)
    const broker = await join()
    const [name = assert.fail()] = await store.listFree(PREFIX, Number.MAX_SAFE_INTEGER)
    const thief = newUuid()
    const now = systemClock.now()
    await store.acquire(name, thief, now + 30_000, now + 50_000)
    await until(async () => (await store.listFree('', Number.MAX_SAFE_INTEGER)).length === 2)
    await until(() => broker.isConnected())
    await store.remove(name, thief)
    for (let index = 0; index < 4; index += 1) await say(READINGS, `reading ${index}`)
    await until(() => received.length > 0)
  })

  test('an instance that loses its session while the database fails connects again', async (t) => {
    const { store, newLeases, received, join, say } = await setUp(t)
    const leases = newLeases()
    let isFailing = false
    const broker = await join({
      ...leases,
      async listFree(prefix) {
        if (isFailing) throw new Error('The database is unavailable.')
        return leases.listFree(prefix)
      },
    })
    const [name = assert.fail()] = await store.listFree(PREFIX, Number.MAX_SAFE_INTEGER)
    const thief = newUuid()
    const now = systemClock.now()
    isFailing = true
    await store.acquire(name, thief, now + 30_000, now + 50_000)
    await until(() => !broker.isConnected())
    await store.remove(name, thief)
    isFailing = false
    await until(() => broker.isConnected())
    // The broker distributes them among this session and the one that was lost.
    for (let index = 0; index < 4; index += 1) await say(READINGS, `reading ${index}`)
    await until(() => received.length > 0)
  })
})
