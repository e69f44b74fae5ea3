import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test, type TestContext } from 'node:test'
import { createGateway } from '../../../src/domain/estate/gateway/gateway.ts'
import { createLog } from '../../../src/kernel/log.ts'
import { newUuid } from '../../../src/kernel/ids.ts'
import { createMetrics } from '../../../src/kernel/metrics.ts'
import type { Broker, MqttMessage, ReceiveMessage } from '../../../src/mqtt/brokers/broker.ts'
import {
  type Connection,
  type ReceivedMessage,
  openConnection,
} from '../../../src/mqtt/brokers/connection.ts'
import { startEmbeddedBroker } from '../../../src/mqtt/brokers/embedded.ts'
import { openExternalBroker } from '../../../src/mqtt/brokers/external.ts'
import { toTopic } from '../../../src/mqtt/topics.ts'
import { findFreePort } from '../../../../../acceptance/support/servers/free-port.ts'

const SITE = newUuid()
const DEVICE = newUuid()
const COMMANDS = toTopic('commands', SITE, DEVICE)
const READINGS = toTopic('readings', SITE, DEVICE)
const log = createLog('silent')

const startBroker = (port: number, receive: ReceiveMessage, metrics: ReturnType<typeof createMetrics>) => {
  const { gateway } = createGateway(SITE, 'Riser', 0)
  return startEmbeddedBroker(
    { host: '127.0.0.1', port },
    {
      gateways: { authenticate: async () => gateway, isCurrent: async () => true },
      receive,
      loadUnits: async () => ({ has: () => true }),
      violations: { report: () => {} },
      onSubscriber: () => {},
      log,
      metrics,
    },
  )
}

/** The embedded broker with one account, and a device that is connected to it. */
async function createFixture(t: TestContext, receive: ReceiveMessage = async () => 'accepted') {
  const port = await findFreePort()
  const metrics = createMetrics()
  const broker = await startBroker(port, receive, metrics)
  const address = { url: `mqtt://127.0.0.1:${port}`, username: 'a', password: 'b' }
  const received: ReceivedMessage[] = []
  const arrived = Promise.withResolvers<void>()
  const ready = Promise.withResolvers<void>()
  const device: Connection = openConnection({
    address,
    clientId: 'device',
    isSessionPersistent: false,
    subscriptions: [[COMMANDS]],
    onMessage: async (message) => {
      received.push(message)
      arrived.resolve()
    },
    onConnected: () => ready.resolve(),
  })
  t.after(async () => {
    await device.close()
    await broker.close()
  })
  await ready.promise
  return { broker, port, metrics, device, received, arrived: arrived.promise }
}

test('a message of the server reaches the device, not retained', async (t) => {
  const { broker, received, arrived } = await createFixture(t)
  await broker.publish(COMMANDS, '{"type":"resume"}')
  await arrived
  const [{ topic, payload, isRetained, isDuplicate } = assert.fail()] = received
  assert.deepEqual(
    [topic, payload.toString(), isRetained, isDuplicate],
    [COMMANDS, '{"type":"resume"}', false, false],
  )
})

test('a broker with MQTT 3.1.1 only works, too', async (t) => {
  const { port, metrics, received, arrived } = await createFixture(t)
  const outside: Broker = openExternalBroker(
    { url: `mqtt://a:b@127.0.0.1:${port}`, clientId: 'portico-test', kinds: [] },
    { receive: async () => 'accepted', onConnected: () => {}, log, metrics },
  )
  t.after(() => outside.close())
  // Not connected yet: publishing fails, and the caller retries.
  await assert.rejects(outside.publish(COMMANDS, 'early'), /not connected/)
  const isConnected = async (): Promise<boolean> =>
    (await metrics.mqttExternalConnected.get()).values.some(({ value }) => value === 1)
  while (!(await isConnected())) await new Promise((resolve) => setTimeout(resolve, 10))
  await outside.publish(COMMANDS, 'now')
  await arrived
  assert.deepEqual(
    received.map(({ payload }) => payload.toString()),
    ['now'],
  )
})

test('a message is acknowledged when it is dealt with, and not before', async (t) => {
  const accepted = Promise.withResolvers<'accepted'>()
  const received: MqttMessage[] = []
  const { device } = await createFixture(t, (message) => {
    received.push(message)
    return accepted.promise
  })
  let isAcknowledged = false
  const published = device.publish(READINGS, 'x').then(() => {
    isAcknowledged = true
    return isAcknowledged
  })
  while (received.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  assert.equal(isAcknowledged, false)
  accepted.resolve('accepted')
  await published
  assert.equal(received[0]?.gateway?.siteUuid, SITE)
})

test('a message that could not be processed is never acknowledged', async (t) => {
  const { device } = await createFixture(t, () => Promise.reject(new Error('the server stops')))
  await assert.rejects(device.publish(READINGS, 'x'), /lost|closed/)
})

test('an embedded broker whose port is in use leaves no timer that keeps the process running', async (t) => {
  const port = await findFreePort()
  const other = createServer().listen(port, '127.0.0.1')
  await once(other, 'listening')
  t.after(() => other.close())
  const countTimers = (): number =>
    process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = countTimers()
  await assert.rejects(
    startBroker(port, async () => 'accepted', createMetrics()),
    { code: 'EADDRINUSE' },
  )
  assert.equal(countTimers(), before)
})
