import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { device, makeSmallSite } from '../support/fixtures/small-site.ts'
import { type Installation, startInstallation } from '../support/servers/installation.ts'
import { asArray, asInstant, asObject, type JsonObject } from '../support/json.ts'
import { endDevices, type MqttDevice, toReadingsPayload } from '../support/clients/mqtt.ts'
import { addMqttSite, type MqttSite, partnerAt, startAgain } from '../support/fixtures/mqtt-site.ts'

let installation: Installation
let site: MqttSite
let gateway: MqttDevice
const house = makeSmallSite()
const riser = crypto.randomUUID()
const wireless = [crypto.randomUUID(), crypto.randomUUID()]
for (const uuid of wireless) {
  const metrics = { temperature: { kind: 'gauge' } }
  house.document.devices.push(device(uuid, 'multiSensor', house.studio, { gatewayUuid: riser, metrics }))
}

before(async () => {
  installation = await startInstallation()
  site = await addMqttSite(installation, house)
  gateway = await site.connect()
})
after(async () => {
  endDevices()
  await installation.stop()
})

const partner = () => partnerAt(site.partner, installation.portico)
const deviceAt = (uuid: string): Promise<JsonObject> => partner().get(`/devices/${uuid}`)
const readStatus = async (uuid: string): Promise<unknown> => (await deviceAt(uuid))['status']
const say = (unit: string, word: string, flags = {}): Promise<void> =>
  gateway.publish(site.topic(unit, 'presence'), word, flags)
const measure = (uuid: string, metric: string, agoMs: number): Promise<void> =>
  gateway.publish(
    site.topic(uuid, 'readings'),
    toReadingsPayload([metric, new Date(Date.now() - agoMs).toISOString(), 20]),
  )
const HOUR_MS = 3_600_000

describe('presence', () => {
  test('a device that never reported is unknown; then it reports online, then offline', async () => {
    assert.deepEqual(
      [await readStatus(house.trv), (await deviceAt(house.trv))['lastSeenAt']],
      ['unknown', null],
    )
    const before = Date.now()
    await say(house.trv, 'online', { retain: true })
    const shown = await deviceAt(house.trv)
    assert.equal(shown['status'], 'online')
    assert.ok(Math.abs(asInstant(shown['lastSeenAt']) - before) < 60_000)
    await say(house.trv, 'offline', { retain: true })
    assert.equal(await readStatus(house.trv), 'offline')
  })

  test('online applies however old the readings are', async () => {
    await measure(house.cylinder, 'temperature', 5 * HOUR_MS)
    assert.equal(await readStatus(house.cylinder), 'offline')
    await say(house.cylinder, 'online')
    assert.equal(await readStatus(house.cylinder), 'online')
  })

  test('offline applies until a newer reading, and an older reading changes nothing', async () => {
    await say(house.sensor, 'offline')
    await measure(house.sensor, 'temperature', HOUR_MS)
    assert.equal(await readStatus(house.sensor), 'offline')
    await measure(house.sensor, 'temperature', -1000)
    assert.equal(await readStatus(house.sensor), 'online')
  })

  test('the presence of a gateway applies to all of its devices, and to no others', async () => {
    await say(riser, 'online')
    for (const uuid of wireless) assert.equal(await readStatus(uuid), 'online')
    const [one = '', two = ''] = wireless
    await say(one, 'offline')
    assert.deepEqual([await readStatus(one), await readStatus(two)], ['offline', 'online'])
    await say(riser, 'offline')
    assert.deepEqual([await readStatus(one), await readStatus(two)], ['offline', 'offline'])
    assert.equal(await readStatus(house.secondMeter), 'unknown')
  })

  test('presence of the gateway of the account is accepted even if no device refers to it', async () => {
    await say(site.gatewayUuid, 'online')
    assert.equal(await readStatus(house.secondMeter), 'unknown')
  })

  test('the list, its filter and the overview agree', async () => {
    await say(house.trv, 'online')
    const online = await partner().list('/devices?status=online')
    assert.ok(online.some(({ deviceUuid }) => deviceUuid === house.trv))
    const overview = await partner().get(`/spaces/${house.bedroom}/overview`)
    const shown = asArray(overview['devices']).map(asObject)
    assert.equal(shown.find(({ deviceUuid }) => deviceUuid === house.trv)?.['status'], 'online')
  })

  test('the last will makes a device offline when its connection is lost, and only then', async () => {
    const will = {
      topic: site.topic(house.meter, 'presence'),
      payload: Buffer.from('offline'),
      qos: 1,
      retain: true,
    } as const
    const polite = await site.connect({ will })
    await polite.publish(site.topic(house.meter, 'presence'), 'online', { retain: true })
    await polite.end()
    assert.equal(await readStatus(house.meter), 'online')
    const lost = await site.connect({ will })
    await lost.vanish()
    await eventually(async () => assert.equal(await readStatus(house.meter), 'offline'))
  })

  test('a subscriber receives the retained presence', async () => {
    await say(house.trv, 'online', { retain: true })
    const listener = await site.connect()
    await listener.subscribe(site.topic(house.trv, 'presence'))
    await eventually(async () =>
      assert.deepEqual(listener.received, [
        { topic: site.topic(house.trv, 'presence'), text: 'online', isRetained: true },
      ]),
    )
  })

  test('after a restart no device counts as online until it reports again, and a clean stop makes no device offline', async () => {
    await say(house.trv, 'online')
    const will = {
      topic: site.topic(house.secondMeter, 'presence'),
      payload: Buffer.from('offline'),
      qos: 1,
      retain: true,
    } as const
    await site.connect({ will })
    await installation.portico.stop()
    installation = await startAgain(installation)
    assert.equal(await readStatus(house.trv), 'unknown')
    assert.equal(await readStatus(house.secondMeter), 'unknown')
    assert.equal(await readStatus(house.meter), 'offline')
    await installation.portico.kill()
    installation = await startAgain(installation)
  })
})
