import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, describe, test } from 'node:test'
import { type DemoEnv, demoEnvPath } from '../support/servers/demo-env.ts'
import { eventually } from '../support/eventually.ts'
import { asString } from '../support/json.ts'
import { startMosquitto } from '../support/servers/mosquitto.ts'
import {
  type Account,
  connectDevice,
  endDevices,
  toReadingsPayload,
  connectRefused,
} from '../support/clients/mqtt.ts'
import { watchServer } from '../support/overload/watch-server.ts'
import { metricAt } from '../support/fixtures/mqtt-site.ts'
import { makeDemoDir, type Portico, removeDataDir, startPortico } from '../support/servers/portico.ts'
import { demoToken, operatorToken } from '../support/clients/requests.ts'
import { toEpoch } from '../support/clients/series.ts'
import { type V2Client, v2Client } from '../support/clients/v2-client.ts'

const folders: string[] = []
after(async () => {
  endDevices()
  for (const folder of folders) await removeDataDir(folder)
})

const jumping = {
  RATE_LIMIT: 'off',
  NODE_OPTIONS: `--import=${import.meta.resolve('../support/preload/clock-step.ts')}`,
}
const toAccount = (env: DemoEnv): Account => ({ username: env.MQTT_USERNAME, password: env.MQTT_PASSWORD })
const createPartnerClient = async (portico: Portico): Promise<V2Client> =>
  v2Client(portico, await demoToken(portico), portico.demoEnv.SITE_ID)

/** The most recent time at which any device reported. */
async function readNewest(client: V2Client): Promise<number> {
  const devices = await client.list('/devices?deviceType=electricityMeter')
  return Math.max(...devices.map(({ lastSeenAt }) => toEpoch(lastSeenAt)))
}

describe('the demo’s gateway account', () => {
  test('is in demo.env, works, is limited to the demo site, and survives a restart; without the file it is new', async () => {
    const dataDir = await makeDemoDir()
    folders.push(dataDir)
    const first = await startPortico({ dataDir })
    const env = first.demoEnv
    assert.equal(env.DEVICE_MQTT_URL, first.mqttUrl)
    const gateway = await connectDevice(env.DEVICE_MQTT_URL, toAccount(env))
    const [code] = await gateway.subscribe(`portico/v1/${env.SITE_ID}/#`)
    assert.equal(code, 1)
    await first.stop()

    const second = await startPortico({ dataDir, port: first.port })
    assert.deepEqual(second.demoEnv, env)
    await connectDevice(env.DEVICE_MQTT_URL, toAccount(env))
    await second.stop()

    await rm(demoEnvPath(dataDir))
    await using third = await startPortico({ dataDir, port: first.port })
    assert.equal(third.demoEnv.MQTT_USERNAME, env.MQTT_USERNAME)
    assert.equal(await connectRefused(env.DEVICE_MQTT_URL, toAccount(env)), 4)
    await connectDevice(env.DEVICE_MQTT_URL, toAccount(third.demoEnv))
    await operatorToken(third)
  })
})

describe('the demo’s simulator', () => {
  test('uses MQTT: presence with a last will, and readings every half hour', async () => {
    await using portico = await startPortico({ env: jumping })
    const { demoEnv } = portico
    const client = await createPartnerClient(portico)
    const listener = await connectDevice(demoEnv.DEVICE_MQTT_URL, toAccount(demoEnv))
    await listener.subscribe(`portico/v1/${demoEnv.SITE_ID}/#`)
    await eventually(async () => {
      const presences = listener.received.filter(({ topic }) => topic.endsWith('/presence'))
      assert.ok(presences.some(({ text }) => text === 'online'))
    })
    const before = await readNewest(client)
    portico.signal('SIGUSR2')
    await eventually(async () => assert.ok((await readNewest(client)) >= before + 30 * 60_000))
    await eventually(async () => {
      const readings = listener.received.filter(({ topic }) => topic.endsWith('/readings'))
      const devices = new Set(readings.map(({ topic }) => asString(topic.split('/')[3])))
      assert.ok(devices.size > 100, `${devices.size} devices`)
    })
    assert.equal(await metricAt(portico, 'portico_mqtt_rejected_total'), 0)
    assert.equal(await metricAt(portico, 'portico_mqtt_clients'), 3)
  })

  test('generates its readings in another process, so that the server’s memory does not grow', async () => {
    await using portico = await startPortico({ env: jumping })
    const client = await createPartnerClient(portico)
    const before = await readNewest(client)
    const watch = await watchServer(portico, { path: '/live' })
    portico.signal('SIGUSR2')
    await eventually(async () => assert.ok((await readNewest(client)) >= before + 30 * 60_000))
    const { growthMb } = await watch.stop()
    assert.ok(growthMb < 64, `the server grew by ${growthMb} MB`)
  })

  test('simulates its devices on an external broker too, and catches up after an outage', async () => {
    const mosquitto = await startMosquitto()
    const portico = await startPortico({ env: jumping, mqttUrl: mosquitto.url })
    assert.equal(portico.demoEnv.DEVICE_MQTT_URL, mosquitto.url)
    const client = await createPartnerClient(portico)
    const connected = (value: number) => async () =>
      assert.equal(await metricAt(portico, 'portico_mqtt_external_connected'), value)
    await eventually(connected(1))
    const before = await readNewest(client)
    await mosquitto.stop()
    await eventually(connected(0))
    portico.signal('SIGUSR2')
    await mosquitto.start()
    await eventually(async () => assert.ok((await readNewest(client)) >= before + 30 * 60_000))
    // Messages of other clients are still processed next to the simulator's.
    const device = await connectDevice(mosquitto.url)
    const [meter] = await client.list('/devices?deviceType=electricityMeter&limit=1')
    const topic = `portico/v1/${portico.demoEnv.SITE_ID}/${asString(meter?.['deviceUuid'])}/readings`
    const rejected = await metricAt(portico, 'portico_mqtt_rejected_total')
    await device.publish(topic, toReadingsPayload(['electricity', '2099-01-01T00:00:00Z', 1]))
    await eventually(async () =>
      assert.equal(await metricAt(portico, 'portico_mqtt_rejected_total'), rejected + 1),
    )
    await portico.stop()
    await mosquitto.remove()
  })
})
