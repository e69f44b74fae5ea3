import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { type Installation, startInstallation } from '../support/servers/installation.ts'
import { endDevices, toReadingsPayload } from '../support/clients/mqtt.ts'
import { openSocket, publishPacket, signOn } from '../support/clients/raw-mqtt.ts'
import { watchServer } from '../support/overload/watch-server.ts'
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

const MIB = 1024 * 1024
const PUBACK_BYTES = 4
/** Locks the store as another process would, until the returned connection is closed. */
function lockStore(): DatabaseSync {
  // The server may be writing.
  const db = new DatabaseSync(join(installation.portico.dataDir, 'portico.db'), { timeout: 60_000 })
  db.exec('BEGIN IMMEDIATE')
  return db
}

const countRetries = (): number => installation.portico.output().split('cannot be stored; retrying').length

test('while the store cannot be written nothing is acknowledged and no connection ends; it recovers automatically', async () => {
  // Sends a PINGREQ every 4 seconds, and disconnects if there is no response.
  const gateway = await site.connect({ keepalive: 4, reschedulePings: false })
  const topic = site.topic(site.house.meter, 'readings')
  const send = (hour: number): Promise<void> =>
    gateway.publish(topic, toReadingsPayload(['electricity', `2026-04-01T0${hour}:00:00Z`, hour]))
  await send(0)
  // Another process that locks the store for longer than a write waits.
  using db = lockStore()
  const acknowledged: number[] = []
  const sending = [1, 2, 3].map(async (hour) => {
    await send(hour)
    acknowledged.push(hour)
  })
  await installation.portico.waitForOutput(/cannot be stored; retrying/)
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

test('while the store cannot be written, gateways that keep sending are not read, and memory stays bounded', async () => {
  const connections = 4
  const messages = 100
  const topic = site.topic(site.house.meter, 'readings')
  // 50 MiB for each connection, most of it whitespace.
  const packets = Array.from({ length: messages }, (_, minute) => {
    const timestamp = new Date(Date.UTC(2026, 3, 3, 0, minute)).toISOString()
    return publishPacket(
      topic,
      toReadingsPayload(['electricity', timestamp, minute]).padEnd(MIB / 2),
      1,
      minute + 1,
    )
  })
  const sockets = await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      const socket = await openSocket(installation.portico.mqttUrl)
      assert.equal(await signOn(socket, site.account, `busy-${index}`), 0)
      return socket
    }),
  )
  let acknowledged = 0
  for (const socket of sockets)
    socket.on('data', (data: Buffer) => {
      acknowledged += data.length / PUBACK_BYTES
    })
  const countUnsent = (): number => sockets.reduce((sum, socket) => sum + socket.writableLength, 0)
  const watch = await watchServer(installation.portico, { path: '/live' })
  using db = lockStore()
  const before = countRetries()
  for (const socket of sockets) for (const packet of packets) socket.write(packet)
  await eventually(async () => assert.ok(countRetries() > before))
  assert.ok(countUnsent() > (connections * messages * MIB) / 4, `only ${countUnsent()} bytes are unsent`)
  const { growthMb, maxMs } = await watch.stop()
  db.exec('ROLLBACK')
  assert.ok(growthMb < 120, `memory grew by ${growthMb} MB`)
  assert.ok(maxMs < 5_000, `a request took ${maxMs} ms`)
  await eventually(async () => assert.equal(acknowledged, connections * messages))
  assert.equal((await valuesAt(site.partner, site.house.meter, '2026-04-03')).length, messages)
  for (const socket of sockets) socket.destroy()
})

test('a server that stops while its store is unavailable acknowledges nothing that it did not store', async () => {
  const gateway = await site.connect()
  const topic = site.topic(site.house.meter, 'readings')
  using _lock = lockStore()
  const sent = gateway.publish(topic, toReadingsPayload(['electricity', '2026-04-02T00:00:00Z', 1]))
  const failed = assert.rejects(sent, /closed/)
  await installation.portico.stop()
  await failed
})
