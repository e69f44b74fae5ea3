import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findOpen, openSocket, signOn, subscribePacket } from '../support/clients/raw-mqtt.ts'
import { eventually } from '../support/eventually.ts'
import { type Installation, startInstallation } from '../support/servers/installation.ts'
import { endDevices, toReadingsPayload } from '../support/clients/mqtt.ts'
import { addMqttSite, metricAt, type MqttSite, valuesAt } from '../support/fixtures/mqtt-site.ts'

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

const memory = (): Promise<number> => metricAt(installation.portico, 'process_resident_memory_bytes')
const MIB = 1024 * 1024

test('a subscriber that never reads is disconnected; publishers are all acknowledged, and memory stays bounded', async () => {
  const gateway = await site.connect()
  const slow = await site.connect({ keepalive: 0 })
  await slow.subscribe(`portico/v1/${site.house.siteUuid}/#`)
  slow.client.stream.pause()
  const before = await memory()
  // 120 MiB of readings, most of it whitespace.
  await Promise.all(
    Array.from({ length: 240 }, (_, minute) => {
      const timestamp = new Date(Date.UTC(2026, 6, 1) + minute * 60_000).toISOString()
      const payload = toReadingsPayload(['electricity', timestamp, minute]).padEnd(MIB / 2)
      return gateway.publish(site.topic(site.house.meter, 'readings'), payload)
    }),
  )
  assert.equal((await valuesAt(site.partner, site.house.meter, '2026-07-01')).length, 240)
  assert.ok((await memory()) - before < 300 * MIB)
  await eventually(async () => assert.equal(await metricAt(installation.portico, 'portico_mqtt_clients'), 1))
})

test('a subscriber that reads nothing for 30 seconds is disconnected, however little is pending', async () => {
  const quick = await startInstallation({
    NODE_OPTIONS: `--import=${import.meta.resolve('../support/preload/quick-checks.ts')}`,
  })
  const busy = await addMqttSite(quick)
  const publisher = await busy.connect()
  const sockets: Socket[] = []
  const topic = busy.topic(busy.house.meter, 'readings')

  /**
   * Each message has one more subscriber than the one before. The kernel buffers a few megabytes for each, so that one
   * of them cannot take the whole message and yet has less than the 4 MiB pending at which it would be closed. The
   * size does not divide 4 MiB: responses to pings must not exceed that bound.
   */
  const publishToOneMore = async (): Promise<void> => {
    const socket = await openSocket(quick.portico.mqttUrl)
    assert.equal(await signOn(socket, busy.account, `slow-${sockets.length}`), 0)
    const subscribed = once(socket, 'data')
    socket.write(subscribePacket(topic))
    await subscribed
    socket.pause()
    const timestamp = new Date(Date.UTC(2026, 6, 1) + sockets.push(socket) * 60_000).toISOString()
    await publisher.publish(topic, toReadingsPayload(['electricity', timestamp, 1]).padEnd(0.75 * MIB))
  }

  const countOpen = async (): Promise<number> => (await findOpen(quick.portico, sockets)).length

  for (let count = 0; count < 12; count += 1) await publishToOneMore()
  await eventually(async () => {
    await publishToOneMore()
    let open = await countOpen()
    for (let again = await countOpen(); again !== open; again = await countOpen()) open = again
    // Nothing is published meanwhile, so that only the time limit can close a connection.
    const deadline = performance.now() + 5_000
    while ((await countOpen()) === open && performance.now() < deadline) await sleep(100)
    assert.ok((await countOpen()) < open, `${open} connections are still open`)
  })
  assert.equal(publisher.client.connected, true)
  for (const socket of sockets) socket.destroy()
  await publisher.end()
  await quick.stop()
})
