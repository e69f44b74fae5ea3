import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { type Installation, startInstallation } from '../support/servers/installation.ts'
import { closed, endDevices, toReadingsPayload } from '../support/clients/mqtt.ts'
import { addMqttSite, metricAt, type MqttSite } from '../support/fixtures/mqtt-site.ts'
import { connectPacket, openSocket, subscribePacket } from '../support/clients/raw-mqtt.ts'

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

const clientCount = (): Promise<number> => metricAt(installation.portico, 'portico_mqtt_clients')
const readStatus = async (uuid: string): Promise<unknown> =>
  (await site.partner.get(`/devices/${uuid}`))['status']

test('a client that signs on with the id of a connected client replaces it, and the last will of the old one is published', async () => {
  const presence = site.topic(site.house.trv, 'presence')
  const will = { topic: presence, payload: Buffer.from('offline'), qos: 1, retain: true } as const
  const old = await site.connect({ clientId: 'riser', will })
  await old.subscribe(site.topic('+', 'readings'))
  await old.publish(presence, 'online', { retain: true })
  const gone = closed(old.client)
  const renewed = await site.connect({ clientId: 'riser', will })
  await gone
  await eventually(async () => assert.equal(await readStatus(site.house.trv), 'offline'))
  assert.deepEqual(await renewed.subscribe(site.topic('+', 'readings')), [1])
  await renewed.publish(presence, 'online', { retain: true })
  await renewed.publish(
    site.topic(site.house.meter, 'readings'),
    toReadingsPayload(['electricity', '2026-05-01T00:00:00Z', 1]),
  )
  await eventually(async () => assert.equal(renewed.received.length, 1))
  assert.deepEqual([old.received.length, renewed.client.connected], [0, true])
  assert.equal(await readStatus(site.house.trv), 'online')
  assert.equal(await clientCount(), 1)
  await renewed.end()
  await eventually(async () => assert.equal(await clientCount(), 0))
})

test('however often a client reconnects while its old connection is closing, no closed connection is counted', async () => {
  const { mqttUrl } = installation.portico
  const greeting = Buffer.concat([
    connectPacket(site.account, 'again'),
    subscribePacket(site.topic('+', 'commands')),
  ])
  for (let round = 0; round < 40; round += 1) {
    const sockets = await Promise.all([openSocket(mqttUrl), openSocket(mqttUrl), openSocket(mqttUrl)])
    for (const socket of sockets) {
      socket.resume()
      socket.write(greeting)
      // The next one arrives while this one is being closed.
      await new Promise((resolve) => setTimeout(resolve, round % 5))
      socket.destroy()
    }
  }
  await eventually(async () => assert.equal(await clientCount(), 0))
  const last = await site.connect({ clientId: 'again' })
  assert.equal(await clientCount(), 1)
  await last.end()
  await eventually(async () => assert.equal(await clientCount(), 0))
})
