import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { type Installation, startInstallation } from '../support/servers/installation.ts'
import { findFreePort } from '../support/servers/free-port.ts'
import { readMetrics } from '../support/clients/metrics.ts'
import { type Mosquitto, startMosquitto } from '../support/servers/mosquitto.ts'
import { connectDevice, endDevices, type MqttDevice, toReadingsPayload } from '../support/clients/mqtt.ts'
import {
  addMqttSite,
  metricAt,
  type MqttSite,
  partnerAt,
  rejectedAt,
  startAgain,
  valuesAt,
} from '../support/fixtures/mqtt-site.ts'
import { makeTempDir, runPortico } from '../support/servers/portico.ts'
import { api } from '../support/clients/requests.ts'

let mosquitto: Mosquitto
let installation: Installation
let site: MqttSite
let device: MqttDevice

const isConnected = async (): Promise<void> =>
  assert.equal(await metricAt(installation.portico, 'portico_mqtt_external_connected'), 1)
const at = (day: string, minute: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + minute * 60_000).toISOString()
const send = (day: string, minute: number, value: unknown, flags = {}): Promise<void> =>
  device.publish(
    site.topic(site.house.meter, 'readings'),
    toReadingsPayload(['electricity', at(day, minute), value]),
    flags,
  )
const stored = (day: string): Promise<number[]> =>
  valuesAt(partnerAt(site.partner, installation.portico), site.house.meter, day)
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
const eventuallyStored = (day: string, values: number[]): Promise<void> =>
  eventually(async () => assert.deepEqual(await stored(day), values))

before(async () => {
  mosquitto = await startMosquitto()
  installation = await startInstallation({}, { mqttUrl: mosquitto.url })
  site = await addMqttSite(installation)
  await eventually(isConnected)
  device = await connectDevice(mosquitto.url)
})
after(async () => {
  endDevices()
  await installation.stop()
  await mosquitto.remove()
})

describe('with an external Mosquitto', () => {
  test('readings are stored, and the last of consecutive corrections wins', async () => {
    await Promise.all(upTo(50).map((value) => send('2026-05-01', 0, value)))
    await send('2026-05-01', 1, 1)
    await eventuallyStored('2026-05-01', [49, 1])
  })

  test('invalid messages are listed as rejected, and those between them are stored', async () => {
    const topic = site.topic(site.house.meter, 'readings')
    await send('2026-05-02', 0, 0)
    await device.publish(topic, 'nonsense')
    await device.publish(topic, Buffer.alloc(10_000_000, 'x'))
    await send('2026-05-02', 1, 1)
    await eventuallyStored('2026-05-02', [0, 1])
    const entries = await rejectedAt(installation, 2)
    assert.deepEqual(
      entries.map(({ reason, payloadBytes, gatewayUuid }) => [reason, payloadBytes, gatewayUuid]),
      [
        ['too-large', 10_000_000, null],
        ['not-json', 8, null],
      ],
    )
  })

  test('readings that the broker retains are stored once', async () => {
    await send('2026-05-03', 0, 1, { retain: true })
    await eventuallyStored('2026-05-03', [1])
    await send('2026-05-03', 0, 2)
    await eventuallyStored('2026-05-03', [2])
    await installation.portico.stop()
    installation = await startAgain(installation, { mqttUrl: mosquitto.url })
    await eventually(isConnected)
    await send('2026-05-03', 1, 3)
    await eventuallyStored('2026-05-03', [2, 3])
    await device.publish(site.topic(site.house.meter, 'readings'), '', { retain: true })
  })

  test('messages sent while the server is stopped arrive once after its start', async () => {
    await installation.portico.stop()
    await Promise.all(upTo(100).map((minute) => send('2026-05-04', minute, minute)))
    installation = await startAgain(installation, { mqttUrl: mosquitto.url })
    await eventuallyStored('2026-05-04', upTo(100))
  })

  test('a kill -9 in the middle of a stream loses and duplicates nothing', async () => {
    const sending = upTo(300).map(async (minute) => {
      await send('2026-05-05', minute, minute)
      if (minute === 100) await installation.portico.kill()
    })
    await Promise.all(sending)
    installation = await startAgain(installation, { mqttUrl: mosquitto.url })
    await eventuallyStored('2026-05-05', upTo(300))
  })

  test('the server keeps running without the broker and reconnects when it is back', async () => {
    await send('2026-05-06', 0, 0)
    await eventuallyStored('2026-05-06', [0])
    await mosquitto.stop()
    await eventually(async () =>
      assert.equal(await metricAt(installation.portico, 'portico_mqtt_external_connected'), 0),
    )
    assert.equal((await api(installation.portico, '/ready')).status, 200)
    await mosquitto.start()
    device = await connectDevice(mosquitto.url)
    await eventually(isConnected)
    await send('2026-05-06', 1, 1)
    await eventuallyStored('2026-05-06', [0, 1])
  })

  test('portico doctor reports that it responds', async () => {
    const { dataDir } = installation.portico
    const { stdout } = await runPortico(['doctor', '--mqtt', mosquitto.url], { dataDir })
    assert.match(stdout, /ok +MQTT broker .* answers/)
  })

  test('presence that the broker retains is known after a restart, and receiving it again changes nothing', async () => {
    const { trv } = site.house
    const shown = () => partnerAt(site.partner, installation.portico).get(`/devices/${trv}`)
    await device.publish(site.topic(trv, 'presence'), 'online', { retain: true })
    await eventually(async () => assert.equal((await shown())['status'], 'online'))
    const before = await shown()
    await installation.portico.stop()
    installation = await startAgain(installation, { mqttUrl: mosquitto.url })
    await eventually(isConnected)
    assert.deepEqual(await shown(), before)
    await device.publish(site.topic(trv, 'presence'), 'offline', { retain: true })
    await eventually(async () => assert.equal((await shown())['status'], 'offline'))
  })
})

test('a broker that is down at startup does not prevent the start, and no password is ever logged', async () => {
  const port = await findFreePort()
  const url = `mqtt://portico:zq7secret@127.0.0.1:${port}`
  const alone = await startInstallation({ LOG_LEVEL: 'trace' }, { mqttUrl: url })
  assert.equal((await api(alone.portico, '/ready')).status, 200)
  assert.equal(await metricAt(alone.portico, 'portico_mqtt_external_connected'), 0)
  assert.match(await readMetrics(alone.portico), /portico_mqtt_external_connected\{.*\} 0/)
  const doctor = await runPortico(['doctor', '--mqtt', url], { dataDir: alone.portico.dataDir })
  assert.match(doctor.stdout, /BAD +MQTT broker .*cannot be used/)
  await alone.stop()
  assert.match(alone.portico.output(), /MQTT broker not connected/)
  assert.doesNotMatch(alone.portico.output() + doctor.stdout + doctor.stderr, /zq7secret/)
})

test('an invalid URL is rejected without being printed', async () => {
  const dataDir = await makeTempDir()
  for (const url of ['http://user:zq7secret@broker', 'mqtt://user:zq7secret%zz@broker', 'nonsense']) {
    const { code, stderr } = await runPortico(['serve', '--port', '0', '--mqtt', url], { dataDir })
    assert.equal(code, 2)
    assert.match(stderr, /--mqtt must be an address such as/)
    assert.doesNotMatch(stderr, /zq7secret/)
  }
})
