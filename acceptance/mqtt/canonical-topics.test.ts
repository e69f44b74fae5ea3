import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { applyInventory, type Installation, startInstallation } from '../support/servers/installation.ts'
import { endDevices, type MqttDevice, toReadingsPayload } from '../support/clients/mqtt.ts'
import { addMqttSite, type MqttSite, rejectedAt, valuesAt } from '../support/fixtures/mqtt-site.ts'

let installation: Installation
let site: MqttSite
let gateway: MqttDevice
const house = makeSmallSite()

before(async () => {
  installation = await startInstallation()
  site = await addMqttSite(installation, house)
  gateway = await site.connect()
})
after(async () => {
  endDevices()
  await installation.stop()
})

/** The retained messages that a new subscriber to the whole site receives. */
async function retainedTopics(): Promise<string[]> {
  const listener = await site.connect()
  await listener.subscribe(`portico/v1/${house.siteUuid}/#`)
  // Retained messages arrive before the echo of a message that is published after them.
  const marker = site.topic(house.meter, 'readings')
  await gateway.publish(marker, toReadingsPayload(['electricity', '2026-06-01T00:00:00Z', 1]))
  await eventually(async () => assert.ok(listener.received.some(({ topic }) => topic === marker)))
  await listener.end()
  return listener.received.filter(({ isRetained }) => isRetained).map(({ topic }) => topic)
}

test('UUIDs in a topic must be in lower case: messages with other spellings are rejected, and neither stored nor retained', async () => {
  const upper = house.siteUuid.toUpperCase()
  const presence = `portico/v1/${house.siteUuid}/${house.trv.toUpperCase()}/presence`
  const readings = `portico/v1/${upper}/${house.meter}/readings`
  await gateway.publish(presence, 'online', { retain: true })
  await gateway.publish(readings, toReadingsPayload(['electricity', '2026-06-02T00:00:00Z', 1]))
  const entries = await rejectedAt(installation, 2)
  assert.deepEqual(
    entries.map(({ topic, reason }) => [topic, reason]),
    [
      [readings, 'non-canonical-topic'],
      [presence, 'non-canonical-topic'],
    ],
  )
  assert.deepEqual(await valuesAt(site.partner, house.meter, '2026-06-02'), [])
  assert.deepEqual(await gateway.subscribe(`portico/v1/${upper}/#`), [128])
  assert.deepEqual(await retainedTopics(), [])
  assert.equal(gateway.client.connected, true)
})

test('the presence of a UUID that is not in the site is neither retained nor cleared', async () => {
  const topic = site.topic(randomUUID(), 'presence')
  for (const payload of ['online', '']) {
    await gateway.publish(topic, payload, { retain: true })
    const [entry = {}] = await rejectedAt(installation, 1)
    assert.deepEqual([entry['topic'], entry['reason']], [topic, 'unknown-device'])
  }
  assert.deepEqual(await retainedTopics(), [])
})

test('the retained presence of a device is removed with the device', async () => {
  const topics = [site.topic(house.trv, 'presence'), site.topic(house.sensor, 'presence')]
  for (const topic of topics) await gateway.publish(topic, 'online', { retain: true })
  assert.deepEqual((await retainedTopics()).toSorted(), topics.toSorted())
  const { devices } = house.document
  const left = devices.filter(({ deviceUuid }) => deviceUuid !== house.trv)
  await applyInventory(installation, { ...house.document, devices: left })
  // The server applies an inventory change within seconds.
  await eventually(async () => assert.deepEqual(await retainedTopics(), topics.slice(1)))
})
