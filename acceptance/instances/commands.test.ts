import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { type Instances, startInstances } from '../support/servers/instances.ts'
import { asString, type JsonObject } from '../support/json.ts'
import { oneOff } from '../support/control/bodies.ts'
import { getId } from '../support/control/control-site.ts'
import {
  connectRecordingDevice,
  endRecordingDevices,
  type RecordingDevice,
} from '../support/control/recording-device.ts'
import { metricAt, type MqttSite, partnerAt } from '../support/fixtures/mqtt-site.ts'
import type { Portico } from '../support/servers/portico.ts'

let instances: Instances
let site: MqttSite
let device: RecordingDevice
let hour = 1

before(async () => {
  instances = await startInstances()
  site = await instances.addSite()
  for (const portico of instances.all)
    await eventually(async () => assert.equal(await metricAt(portico, 'portico_mqtt_external_connected'), 1))
  device = await connectRecordingDevice({
    url: instances.mosquitto.url,
    account: site.account,
    siteUuid: site.house.siteUuid,
    deviceUuid: site.house.trv,
  })
})
after(async () => {
  endRecordingDevices()
  await instances.remove()
})

/** Sends a command that overlaps with no other, retrying with its idempotency key until there is a response. */
async function accept(portico: () => Portico): Promise<JsonObject> {
  hour += 1
  const body = oneOff(Date.now(), [hour * 3600, hour * 3600 + 1800])
  const headers = { 'Idempotency-Key': randomUUID() }
  return eventually(async () => {
    const client = partnerAt(site.partner, portico())
    const answer = await client.post(`/devices/${site.house.trv}/schedule`, body, headers)
    assert.equal(answer.status, 202, answer.text)
    return answer.json
  })
}

const stateAt = async (portico: Portico, command: JsonObject): Promise<string> =>
  asString(
    (await partnerAt(site.partner, portico).get(`/devices/${site.house.trv}/commands/${getId(command)}`))[
      'state'
    ],
  )
const confirmedAt = (portico: Portico, command: JsonObject): Promise<void> =>
  eventually(async () => assert.equal(await stateAt(portico, command), 'CONFIRMED'))

describe('commands through two instances', () => {
  test('each is sent once, and both show its result', async () => {
    const { one, other } = instances
    const commands = await Promise.all(
      Array.from({ length: 30 }, (_, index) => accept(() => (index % 2 ? one : other))),
    )
    for (const command of commands) for (const portico of [one, other]) await confirmedAt(portico, command)
    for (const command of commands) assert.equal(device.about(getId(command)).length, 1)
  })

  test('a device that reconnects to many waiting commands receives each once', async () => {
    const { one, other } = instances
    await device.vanish()
    const commands = await Promise.all(
      Array.from({ length: 20 }, (_, index) => accept(() => (index % 2 ? one : other))),
    )
    await device.comeBack()
    for (const command of commands) await confirmedAt(one, command)
    for (const command of commands) assert.equal(device.about(getId(command)).length, 1)
  })

  test('an instance killed while sending loses no command: the other sends it, and the device applies it once', async () => {
    const { one } = instances
    const victim = await instances.start()
    let current = victim
    const accepting = Array.from({ length: 40 }, async (_, index) => {
      const command = await accept(() => current)
      if (index === 15) {
        await victim.kill()
        current = one
      }
      return command
    })
    const commands = await Promise.all(accepting)
    for (const command of commands) await confirmedAt(one, command)
    assert.equal(new Set(commands.map(getId)).size, 40)
    for (const command of commands) {
      const orders = device.about(getId(command))
      assert.ok(orders.length >= 1)
      for (const { payload } of orders) assert.deepEqual(payload, orders[0]?.payload)
    }
    assert.equal(new Set(device.applied).size, device.applied.length)
  })
})
