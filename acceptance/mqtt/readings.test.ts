import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { type Installation, startInstallation } from '../support/servers/installation.ts'
import { connectDevice, endDevices, type MqttDevice, toReadingsPayload } from '../support/clients/mqtt.ts'
import {
  addMqttSite,
  type MqttSite,
  partnerAt,
  rejectedAt,
  startAgain,
  valuesAt,
} from '../support/fixtures/mqtt-site.ts'

let installation: Installation
let site: MqttSite
let gateway: MqttDevice

before(async () => {
  installation = await startInstallation()
  site = await addMqttSite(installation)
  gateway = await site.connect()
})
after(async () => {
  endDevices()
  await installation.stop()
})

const at = (day: string, hour: number): string => `${day}T${String(hour).padStart(2, '0')}:00:00Z`
const send = (day: string, hour: number, value: unknown, flags = {}): Promise<void> =>
  gateway.publish(
    site.topic(site.house.meter, 'readings'),
    toReadingsPayload(['electricity', at(day, hour), value]),
    flags,
  )
const stored = (day: string): Promise<number[]> => valuesAt(site.partner, site.house.meter, day)

describe('readings over MQTT', () => {
  test('the acknowledgement means stored: the next read has them', async () => {
    for (let hour = 0; hour < 5; hour += 1) {
      await send('2026-01-05', hour, 100 + hour)
      assert.equal((await stored('2026-01-05')).length, hour + 1)
    }
    assert.deepEqual(await stored('2026-01-05'), [100, 101, 102, 103, 104])
  })

  test('a newer reading of an instant replaces the older; a repeated delivery never does, and adds what was lost', async () => {
    const day = '2026-01-06'
    await send(day, 0, 1)
    await send(day, 0, 2)
    assert.deepEqual(await stored(day), [2])
    await send(day, 0, 1, { dup: true })
    assert.deepEqual(await stored(day), [2])
    await send(day, 1, 7, { dup: true })
    assert.deepEqual(await stored(day), [2, 7])
  })

  test('of many corrections sent at once the last one stays', async () => {
    const day = '2026-01-07'
    const values = Array.from({ length: 200 }, (_, index) => index)
    await Promise.all(values.map((value) => send(day, 3, value)))
    assert.deepEqual(await stored(day), [199])
  })

  test('many messages at once are each stored when acknowledged, and none is lost', async () => {
    const { house } = site
    const devices = [house.meter, house.secondMeter]
    await Promise.all(
      Array.from({ length: 600 }, (_, index) => {
        const timestamp = new Date(Date.UTC(2026, 0, 8) + Math.floor(index / 2) * 60_000).toISOString()
        const device = devices[index % 2] ?? ''
        return gateway.publish(
          site.topic(device, 'readings'),
          toReadingsPayload(['electricity', timestamp, index]),
        )
      }),
    )
    for (const device of devices)
      assert.equal((await valuesAt(site.partner, device, '2026-01-08')).length, 300)
  })

  test('one message carries readings of several metrics', async () => {
    const { house } = site
    const day = '2026-01-09'
    const payload = toReadingsPayload(
      ['temperature', at(day, 1), 20.5],
      ['co2', at(day, 1), 700],
      ['temperature', at(day, 2), -3],
    )
    await gateway.publish(site.topic(house.sensor, 'readings'), payload)
    assert.deepEqual(await valuesAt(site.partner, house.sensor, day, 'temperature'), [20.5, -3])
    assert.deepEqual(await valuesAt(site.partner, house.sensor, day, 'co2'), [700])
  })

  test('a bad record is refused alone: its neighbours are stored', async () => {
    const day = '2026-01-10'
    const topic = site.topic(site.house.meter, 'readings')
    await gateway.publish(
      topic,
      toReadingsPayload(
        ['electricity', at(day, 1), 1],
        ['gas', at(day, 2), 2],
        ['electricity', at(day, 3), 'three'],
        ['electricity', at(day, 4), 4],
      ),
    )
    assert.deepEqual(await stored(day), [1, 4])
    const [entry = {}] = await rejectedAt(installation)
    assert.equal(entry['topic'], topic)
    assert.equal(entry['reason'], 'metric-not-declared')
    assert.match(String(entry['message']), /^2 of 4 readings rejected \(2, 3\)/)
    assert.equal(entry['gatewayUuid'], site.gatewayUuid)
  })

  test('readings sent with the retain flag are taken, and not kept by the broker', async () => {
    const day = '2026-01-11'
    await send(day, 0, 5, { retain: true })
    assert.deepEqual(await stored(day), [5])
    const listener = await site.connect()
    await listener.subscribe(`portico/v1/${site.house.siteUuid}/#`)
    await send(day, 1, 6)
    await eventually(async () => assert.ok(listener.received.length > 0))
    const received = listener.received.filter(({ topic }) => topic.endsWith('/readings'))
    assert.deepEqual(
      received.map(({ isRetained, text }) => [isRetained, text]),
      [[false, toReadingsPayload(['electricity', at(day, 1), 6])]],
    )
  })

  test('at QoS 0 and 2 they are taken too', async () => {
    const day = '2026-01-12'
    const topic = site.topic(site.house.meter, 'readings')
    await gateway.client.publishAsync(topic, toReadingsPayload(['electricity', at(day, 0), 1]), { qos: 2 })
    await gateway.client.publishAsync(topic, toReadingsPayload(['electricity', at(day, 1), 2]), { qos: 0 })
    await send(day, 2, 3)
    assert.deepEqual(await stored(day), [1, 2, 3])
  })

  test('what was acknowledged is there after kill -9', async () => {
    const day = '2026-01-13'
    let acknowledged = 0
    const sending = Array.from({ length: 24 }, async (_, hour) => {
      await send(day, hour, hour)
      acknowledged += 1
      if (acknowledged === 8) await installation.portico.kill()
    })
    await Promise.allSettled(sending)
    const certain = acknowledged
    assert.ok(certain >= 8)
    installation = await startAgain(installation)
    const values = await valuesAt(partnerAt(site.partner, installation.portico), site.house.meter, day)
    assert.ok(values.length >= certain, `${values.length} of ${certain}`)
    // The same account and the same port: a device just comes back, and what it sends again doubles nothing.
    gateway = await connectDevice(installation.portico.mqttUrl, site.account)
    await Promise.all(Array.from({ length: 24 }, (_, hour) => send(day, hour, hour, { dup: true })))
    assert.deepEqual(
      await valuesAt(partnerAt(site.partner, installation.portico), site.house.meter, day),
      Array.from({ length: 24 }, (_, hour) => hour),
    )
  })
})
