import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
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
