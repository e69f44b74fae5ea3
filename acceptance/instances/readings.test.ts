import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { type Instances, startInstances } from '../support/servers/instances.ts'
import { connectDevice, type MqttDevice, toReadingsPayload } from '../support/clients/mqtt.ts'
import { metricAt, type MqttSite, partnerAt, valuesAt } from '../support/fixtures/mqtt-site.ts'
import type { Portico } from '../support/servers/portico.ts'

let instances: Instances
let site: MqttSite
let device: MqttDevice

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
const send = (day: string, minute: number): Promise<void> =>
  device.publish(
    site.topic(site.house.meter, 'readings'),
    toReadingsPayload([
      'electricity',
      new Date(Date.parse(`${day}T00:00:00Z`) + minute * 60_000).toISOString(),
      minute,
    ]),
  )
const stored = (portico: Portico, day: string): Promise<number[]> =>
  valuesAt(partnerAt(site.partner, portico), site.house.meter, day)
const countReceived = (portico: Portico): Promise<number> =>
  metricAt(portico, 'portico_mqtt_messages_total', 'kind="readings"')
const isConnected = async (portico: Portico): Promise<void> =>
  assert.equal(await metricAt(portico, 'portico_mqtt_external_connected'), 1)

before(async () => {
  instances = await startInstances()
  site = await instances.addSite()
  for (const portico of instances.all) await eventually(() => isConnected(portico))
  device = await connectDevice(instances.mosquitto.url)
})
after(() => instances.remove())

describe('messages of devices on a broker shared by the instances', () => {
  test('are distributed, each to one instance', async () => {
    const { one, other } = instances
    // An instance that stalls for seconds is considered dead, and both may then receive a message: retried on another
    // day.
    let day = Temporal.PlainDate.from('2026-04-01')
    await eventually(async () => {
      day = day.subtract({ days: 1 })
      const date = day.toString()
      const before = await Promise.all([one, other].map(countReceived))
      await Promise.all(upTo(200).map((minute) => send(date, minute)))
      await eventually(async () => assert.deepEqual(await stored(one, date), upTo(200)))
      const after = await Promise.all([one, other].map(countReceived))
      const received = after.map((count, index) => count - (before[index] ?? Number.NaN))
      assert.equal((received[0] ?? 0) + (received[1] ?? 0), 200)
      assert.ok(
        received.every((count) => count >= 50),
        `they received ${received.join(' and ')}`,
      )
    })
  })

  test('presence is visible to both, also after a third one starts', async () => {
    const { trv, meter } = site.house
    const statusAt = async (portico: Portico, unit: string): Promise<unknown> =>
      (await partnerAt(site.partner, portico).get(`/devices/${unit}`))['status']
    await device.publish(site.topic(trv, 'presence'), 'online', { retain: true })
    await device.publish(site.topic(meter, 'presence'), 'online')
    for (const portico of instances.all)
      await eventually(async () => assert.equal(await statusAt(portico, trv), 'online'))
    const third = await instances.start()
    await eventually(() => isConnected(third))
    for (const portico of instances.all) {
      assert.equal(await statusAt(portico, trv), 'online')
      assert.equal(await statusAt(portico, meter), 'online', 'the broker does not keep this one')
    }
    await device.publish(site.topic(trv, 'presence'), 'offline', { retain: true })
    for (const portico of instances.all)
      await eventually(async () => assert.equal(await statusAt(portico, trv), 'offline'))
    await third.stop()
  })

  test('continue to the remaining instances when one is killed: nothing that the broker accepted is lost', async () => {
    const { one } = instances
    const victim = await instances.start()
    await eventually(() => isConnected(victim))
    const sending = upTo(600).map(async (minute) => {
      await send('2026-05-02', minute)
      if (minute === 200) await victim.kill()
    })
    await Promise.all(sending)
    await eventually(async () => assert.deepEqual(await stored(one, '2026-05-02'), upTo(600)))
    await eventually(async () =>
      assert.match(
        instances.one.output() + instances.other.output(),
        /draining the MQTT session of an instance that has ended/,
      ),
    )
  })

  test('are not lost or duplicated if an instance stalls for so long that it counts as dead', async () => {
    const { one } = instances
    const frozen = await instances.start()
    await eventually(() => isConnected(frozen))
    frozen.signal('SIGSTOP')
    const early = upTo(300)
    await Promise.all(early.map((minute) => send('2026-05-04', minute)))
    await eventually(async () => assert.deepEqual(await stored(one, '2026-05-04'), early))
    frozen.signal('SIGCONT')
    const receivedBefore = await countReceived(frozen)
    let sent = 300
    await eventually(async () => {
      await send('2026-05-04', (sent += 1) - 1)
      assert.ok((await countReceived(frozen)) > receivedBefore, 'it hears of new ones again')
    })
    await eventually(async () => assert.deepEqual(await stored(one, '2026-05-04'), upTo(sent)))
    await frozen.stop()
  })

  test('wait while no instance is running', async () => {
    for (const portico of instances.all) await portico.stop()
    await Promise.all(upTo(100).map((minute) => send('2026-05-03', minute)))
    const back = await instances.start()
    await eventually(async () => assert.deepEqual(await stored(back, '2026-05-03'), upTo(100)))
  })
})
