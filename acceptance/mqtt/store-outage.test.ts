import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { type Installation, startInstallation } from '../support/servers/installation.ts'
import { endDevices, toReadingsPayload } from '../support/clients/mqtt.ts'
import { addMqttSite, type MqttSite, valuesAt } from '../support/fixtures/mqtt-site.ts'

let installation: Installation
let site: MqttSite

before(async () => {
  installation = await startInstallation()
  site = await addMqttSite(installation)
})
after(async () => {
  endDevices()
  await installation.stop()
})

test('while the store cannot be written nothing is acknowledged and no connection ends; it heals by itself', async () => {
  // Sends a PINGREQ every 4 seconds, and disconnects when there is no answer.
  const gateway = await site.connect({ keepalive: 4, reschedulePings: false })
  const topic = site.topic(site.house.meter, 'readings')
  const send = (hour: number): Promise<void> =>
    gateway.publish(topic, toReadingsPayload(['electricity', `2026-04-01T0${hour}:00:00Z`, hour]))
  await send(0)
  // Another process that holds the store, longer than a write waits for it.
  using db = new DatabaseSync(join(installation.portico.dataDir, 'portico.db'))
  db.exec('BEGIN IMMEDIATE')
  const acknowledged: number[] = []
  const sending = [1, 2, 3].map(async (hour) => {
    await send(hour)
    acknowledged.push(hour)
  })
  await eventually(async () => assert.match(installation.portico.output(), /cannot be stored; retrying/))
  assert.deepEqual(acknowledged, [])
  const pings: string[] = []
  gateway.client.on('packetreceive', ({ cmd }) => pings.push(cmd))
  await eventually(async () => assert.ok(pings.filter((cmd) => cmd === 'pingresp').length >= 2))
  assert.deepEqual(acknowledged, [])
  assert.equal(gateway.client.connected, true)
  db.exec('ROLLBACK')
  await Promise.all(sending)
  assert.deepEqual(await valuesAt(site.partner, site.house.meter, '2026-04-01'), [0, 1, 2, 3])
})

test('a server that stops while its store is away acknowledges nothing it did not store', async () => {
  const gateway = await site.connect()
  const topic = site.topic(site.house.meter, 'readings')
  using db = new DatabaseSync(join(installation.portico.dataDir, 'portico.db'))
  db.exec('BEGIN IMMEDIATE')
  const sent = gateway.publish(topic, toReadingsPayload(['electricity', '2026-04-02T00:00:00Z', 1]))
  const failed = assert.rejects(sent, /closed/)
  await installation.portico.stop()
  await failed
})
