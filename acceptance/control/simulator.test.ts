import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { device } from '../support/fixtures/small-site.ts'
import { applyInventory, exportInventory } from '../support/servers/installation.ts'
import { asString, type JsonObject } from '../support/json.ts'
import { connectDevice, endDevices } from '../support/clients/mqtt.ts'
import { metricAt } from '../support/fixtures/mqtt-site.ts'
import { makeDemoDir, removeDataDir, startPortico } from '../support/servers/portico.ts'
import { assertProblem } from '../support/oracles/problem.ts'
import { demoToken, operatorToken } from '../support/clients/requests.ts'
import { toEpoch, getReadings } from '../support/clients/series.ts'
import { v2Client } from '../support/clients/v2-client.ts'

const dataDir = await makeDemoDir()
const jump = `--import=${import.meta.resolve('../support/preload/clock-step.ts')}`
const start = (port?: number) =>
  startPortico({
    dataDir,
    env: { RATE_LIMIT: 'off', NODE_OPTIONS: jump },
    ...(port !== undefined && { port }),
  })
let portico = await start()
const { SITE_ID, DEVICE_MQTT_URL, MQTT_USERNAME, MQTT_PASSWORD } = portico.demoEnv
let client = v2Client(portico, await demoToken(portico), SITE_ID)
after(async () => {
  endDevices()
  await portico.stop()
  await removeDataDir(dataDir)
})

const devices = await client.list('/devices')
const ofType = (deviceType: string): string =>
  asString(devices.find((one) => one['deviceType'] === deviceType)?.['deviceUuid'])
/** A device behind the gateway, and one without a gateway. */
const valve = ofType('trv')
const cylinder = ofType('hotWaterCylinder')

async function simulate(deviceUuid: string, body: JsonObject): Promise<JsonObject> {
  const answer = await client.post(`/sandbox/devices/${deviceUuid}/simulate`, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.json
}
const deviceAt = (deviceUuid: string): Promise<JsonObject> => client.get(`/devices/${deviceUuid}`)
const readStatus = async (deviceUuid: string): Promise<unknown> => (await deviceAt(deviceUuid))['status']

describe('the simulator of the demo', () => {
  test('returns the mode, and its delay or null', async () => {
    for (const mode of ['reject', 'offline', 'online']) {
      const expected = { deviceUuid: valve, mode, delaySeconds: null }
      assert.deepEqual(await simulate(valve.toUpperCase(), { mode }), expected)
    }
    const delay = { mode: 'delay', delaySeconds: 3600 }
    assert.deepEqual(await simulate(valve, delay), { deviceUuid: valve, ...delay })
    await simulate(valve, { mode: 'online' })
  })

  test('a device is offline and online again as soon as the call returns, and no other device changes', async () => {
    for (const deviceUuid of [valve, cylinder]) {
      await simulate(deviceUuid, { mode: 'offline' })
      assert.equal(await readStatus(deviceUuid), 'offline')
    }
    const neighbour = devices.filter((one) => one['deviceType'] === 'trv')[1]
    assert.equal(await readStatus(asString(neighbour?.['deviceUuid'])), 'online')
    for (const deviceUuid of [valve, cylinder]) {
      await simulate(deviceUuid, { mode: 'online' })
      assert.equal(await readStatus(deviceUuid), 'online')
    }
  })

  test('the presence is retained, on the topic of the device', async () => {
    await simulate(valve, { mode: 'offline' })
    const listener = await connectDevice(DEVICE_MQTT_URL, {
      username: MQTT_USERNAME,
      password: MQTT_PASSWORD,
    })
    const topic = `portico/v1/${SITE_ID}/${valve}/presence`
    await listener.subscribe(topic)
    await eventually(async () =>
      assert.deepEqual(listener.received, [{ topic, text: 'offline', isRetained: true }]),
    )
    await simulate(valve, { mode: 'online' })
    await eventually(async () => assert.equal(listener.received[1]?.text, 'online'))
    await listener.end()
  })

  test('a device added to the demo site is not simulated: 409', async () => {
    const installation = { portico, operator: await operatorToken(portico), stop: async () => {} }
    const document = await exportInventory(installation, SITE_ID)
    const added = crypto.randomUUID()
    const space = asString(document.spaces[0]?.['spaceUuid'])
    await applyInventory(installation, {
      ...document,
      devices: [...document.devices, device(added, 'trv', space, {})],
    })
    await eventually(async () => assert.equal(await readStatus(added), 'unknown'))
    const answer = await client.post(`/sandbox/devices/${added}/simulate`, { mode: 'offline' })
    assertProblem(portico, answer, 409)
    await applyInventory(installation, document)
  })

  test('after a restart every device is online again', async () => {
    await simulate(valve, { mode: 'offline' })
    await simulate(cylinder, { mode: 'offline' })
    await portico.stop()
    portico = await start(portico.port)
    client = v2Client(portico, await demoToken(portico), SITE_ID)
    for (const deviceUuid of [valve, cylinder]) {
      await eventually(async () => assert.equal(await readStatus(deviceUuid), 'online'))
    }
  })

  test('an offline device keeps its readings, and publishes them once it is back', async () => {
    await simulate(cylinder, { mode: 'offline' })
    const before = Date.now()
    portico.signal('SIGUSR2')
    // The inverter is the last device in the plant room to publish.
    await eventually(async () => {
      const [inverter] = await client.list('/devices?deviceType=solarInverter')
      assert.ok(toEpoch(inverter?.['lastSeenAt']) > before)
    })
    const since = { fromDateTime: new Date(before).toISOString(), toDateTime: isoAhead(before) }
    const later = (): Promise<unknown[]> => getReadings(client, cylinder, 'hotwater', since)
    assert.deepEqual([await readStatus(cylinder), await later()], ['offline', []])
    await simulate(cylinder, { mode: 'online' })
    assert.equal(await readStatus(cylinder), 'online')
    await eventually(async () => assert.notDeepEqual(await later(), []))
    assert.equal(await metricAt(portico, 'portico_mqtt_rejected_total'), 0)
  })
})

const isoAhead = (at: number): string => new Date(at + 3_600_000).toISOString()
