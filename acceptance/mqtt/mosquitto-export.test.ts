import assert from 'node:assert/strict'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { type Installation, startInstallation } from '../support/servers/installation.ts'
import { asObject, parseJson } from '../support/json.ts'
import { type Mosquitto, startMosquitto } from '../support/servers/mosquitto.ts'
import {
  type Account,
  connectDevice,
  endDevices,
  type MqttDevice,
  toReadingsPayload,
  connectRefused,
} from '../support/clients/mqtt.ts'
import { addMqttSite, metricAt, type MqttSite, valuesAt } from '../support/fixtures/mqtt-site.ts'
import { makeTempDir, runPortico } from '../support/servers/portico.ts'

let mosquitto: Mosquitto
let installation: Installation
let site: MqttSite
let other: MqttSite
let serverUrl = ''
const server: Account = { username: 'portico', password: 'p@ss:w/rd %' }

const exportTo = (folder: string, ...flags: string[]) =>
  runPortico(['gateway', 'export', 'mosquitto', '--out', folder, ...flags], {
    dataDir: installation.portico.dataDir,
  })

before(async () => {
  mosquitto = await startMosquitto({ hasAccounts: true })
  const { username, password } = server
  serverUrl = mosquitto.url.replace('://', `://${username}:${encodeURIComponent(password)}@`)
  installation = await startInstallation({}, { mqttUrl: serverUrl })
  site = await addMqttSite(installation)
  other = await addMqttSite(installation, makeSmallSite())
  const result = await exportTo(mosquitto.folder, '--mqtt', serverUrl)
  assert.equal(result.code, 0, result.stderr)
  assert.match(result.stdout, /2 gateways and the server/)
  mosquitto.reload()
})
after(async () => {
  endDevices()
  await installation.stop()
  await mosquitto.remove()
})

const hears = async (listener: MqttDevice, topic: string): Promise<boolean> => {
  // A later message that is certain to arrive shows that the first one will not.
  await eventually(async () => assert.ok(listener.received.some(({ text }) => text === 'end')))
  return listener.received.some((message) => message.topic === topic && message.text !== 'end')
}

describe('portico gateway export mosquitto', () => {
  test('writes files that only their owner can read, without a plain password', async () => {
    for (const name of ['passwords', 'acl']) {
      const file = join(mosquitto.folder, name)
      assert.equal((await stat(file)).mode & 0o777, 0o600)
      const text = await readFile(file, 'utf8')
      for (const { password } of [site.account, other.account, server]) assert.ok(!text.includes(password))
    }
  })

  test('Mosquitto admits the accounts of the gateways and of the server, and no other client', async () => {
    await eventually(async () =>
      assert.equal(await metricAt(installation.portico, 'portico_mqtt_external_connected'), 1),
    )
    await connectDevice(mosquitto.url, site.account)
    assert.equal(await connectRefused(mosquitto.url), 5)
    assert.equal(await connectRefused(mosquitto.url, { ...site.account, password: 'wrong' }), 5)
  })

  test('readings of a gateway arrive, but nothing it publishes elsewhere or as a command', async () => {
    const gateway = await connectDevice(mosquitto.url, site.account)
    const everything = await connectDevice(mosquitto.url, server)
    await everything.subscribe('portico/v1/#')
    const reading = toReadingsPayload(['electricity', '2026-06-01T00:00:00Z', 4])
    const foreign = other.topic(other.house.meter, 'readings')
    const command = site.topic(site.house.trv, 'commands')
    await gateway.publish(foreign, reading)
    await gateway.publish(command, '{}')
    await gateway.publish(site.topic(site.house.meter, 'readings'), reading)
    await gateway.publish(site.topic(site.house.meter, 'presence'), 'end')
    assert.equal(await hears(everything, foreign), false)
    assert.equal(await hears(everything, command), false)
    await eventually(async () =>
      assert.deepEqual(await valuesAt(site.partner, site.house.meter, '2026-06-01'), [4]),
    )
  })

  test('a gateway receives the commands of its site, and nothing of another', async () => {
    const gateway = await connectDevice(mosquitto.url, site.account)
    await gateway.subscribe('portico/v1/#')
    const everything = await connectDevice(mosquitto.url, server)
    const foreign = other.topic(other.house.trv, 'commands')
    const command = site.topic(site.house.trv, 'commands')
    await everything.publish(foreign, '{}')
    await everything.publish(command, '{}')
    await everything.publish(command, 'end')
    assert.equal(await hears(gateway, command), true)
    assert.equal(await hears(gateway, foreign), false)
  })

  test('without an account of the server it prints what to add', async () => {
    const folder = await makeTempDir()
    const result = await exportTo(folder)
    assert.match(result.stdout, /2 gateways\.\n.*own account is not in the files/)
    assert.match(result.stdout, /topic readwrite portico\/v1\/#/)
    const asJson = asObject(parseJson((await exportTo(folder, '--json')).stdout))
    assert.deepEqual([asJson['gateways'], asJson['missing'], asJson['server']], [2, [], null])
    await rm(folder, { recursive: true, force: true })
    assert.equal((await runPortico(['gateway', 'export', 'emqx'])).code, 2)
  })
})
