import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { eventually } from '../support/eventually.ts'
import { type Installation, startInstallation } from '../support/servers/installation.ts'
import { asArray, asObject, parseJson } from '../support/json.ts'
import {
  closed,
  connectDevice,
  endDevices,
  toReadingsPayload,
  connectRefused,
} from '../support/clients/mqtt.ts'
import {
  addGateway,
  addMqttSite,
  type MqttSite,
  readGateway,
  rejectedAt,
  valuesAt,
} from '../support/fixtures/mqtt-site.ts'
import { runPortico } from '../support/servers/portico.ts'
import { api } from '../support/clients/requests.ts'

let installation: Installation
let site: MqttSite
let other: MqttSite

before(async () => {
  installation = await startInstallation()
  site = await addMqttSite(installation)
  other = await addMqttSite(installation, makeSmallSite())
})
after(async () => {
  endDevices()
  await installation.stop()
})

const at = '2026-02-01T00:00:00Z'

describe('connecting', () => {
  test('requires an account', async () => {
    const { mqttUrl } = installation.portico
    const { username, password } = site.account
    assert.equal(await connectRefused(mqttUrl), 5)
    assert.equal(await connectRefused(mqttUrl, { username, password: 'wrong' }), 4)
    assert.equal(await connectRefused(mqttUrl, { username: 'nobody', password }), 4)
    assert.equal(await connectRefused(mqttUrl, { username, password: other.account.password }), 4)
    await (await site.connect()).end()
  })

  test('works immediately for an account added on the command line, until it is removed there', async () => {
    const { dataDir, mqttUrl } = installation.portico
    const { siteUuid } = site.house
    const added = await runPortico(['gateway', 'add', siteUuid, '--name', 'Riser 2', '--json'], { dataDir })
    const { gatewayUuid, ...account } = readGateway(asObject(parseJson(added.stdout)))
    const gateway = await connectDevice(mqttUrl, account)
    const listed = await runPortico(['gateway', 'list', siteUuid, '--json'], { dataDir })
    const uuids = asArray(asObject(parseJson(listed.stdout))['data']).map(
      (one) => asObject(one)['gatewayUuid'],
    )
    assert.ok(uuids.includes(gatewayUuid))
    assert.ok(!listed.stdout.includes(account.password))
    const gone = closed(gateway.client)
    const removed = await runPortico(['gateway', 'remove', siteUuid, gatewayUuid], { dataDir })
    assert.equal(removed.code, 0, removed.stderr)
    await gone
    assert.equal(await connectRefused(mqttUrl, account), 4)
    assert.equal((await runPortico(['gateway', 'remove', siteUuid, gatewayUuid], { dataDir })).code, 1)
  })

  test('an account removed by the operator is disconnected, others are not', async () => {
    const { portico, operator } = installation
    const { gatewayUuid, ...account } = await addGateway(installation, site.house.siteUuid)
    const gateway = await connectDevice(portico.mqttUrl, account)
    const stays = await site.connect()
    const gone = closed(gateway.client)
    const path = `/operator/sites/${site.house.siteUuid}/gateways/${gatewayUuid}`
    assert.equal((await api(portico, path, { method: 'DELETE', token: operator })).status, 204)
    await gone
    assert.equal(stays.client.connected, true)
  })

  test('an account cannot take over the connection of another by its client id', async () => {
    const one = await site.connect({ clientId: 'the-same' })
    const two = await other.connect({ clientId: 'the-same' })
    await one.publish(site.topic(site.house.meter, 'readings'), toReadingsPayload(['electricity', at, 1]))
    assert.deepEqual([one.client.connected, two.client.connected], [true, true])
  })

  test('connections that do not speak MQTT, or send too much before signing on, are closed', async () => {
    const port = Number(new URL(installation.portico.mqttUrl).port)
    // A CONNECT of 200 MB, and the beginning of a publish.
    for (const bytes of [
      [0x10, 0x80, 0x84, 0xaf, 0x5f],
      [0x30, 0x02, 0, 0],
      [0x47, 0x45, 0x54, 0x20, 0x2f],
    ]) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      socket.write(Buffer.from(bytes))
      await once(socket, 'close')
    }
  })
})

describe('topics of a gateway', () => {
  test('a publish to another topic is dropped and listed as rejected; the connection stays open', async () => {
    const gateway = await site.connect()
    const listener = await other.connect()
    await listener.subscribe(`portico/v1/${other.house.siteUuid}/#`)
    const foreign = other.topic(other.house.meter, 'readings')
    const topics = [foreign, '$SYS/broker', 'anything', `portico/v2/${site.house.siteUuid}/x/readings`]
    for (const topic of topics) await gateway.publish(topic, toReadingsPayload(['electricity', at, 9]))
    const entries = (await rejectedAt(installation, topics.length)).toReversed()
    assert.deepEqual(
      entries.map(({ topic, reason, gatewayUuid }) => [topic, reason, gatewayUuid]),
      topics.map((topic) => [topic, 'forbidden-topic', site.gatewayUuid]),
    )
    assert.deepEqual(await valuesAt(other.partner, other.house.meter, '2026-02-01'), [])
    const own = toReadingsPayload(['electricity', '2026-02-02T00:00:00Z', 3])
    await gateway.publish(site.topic(site.house.meter, 'readings'), own)
    assert.deepEqual(await valuesAt(site.partner, site.house.meter, '2026-02-02'), [3])
    assert.deepEqual(listener.received, [])
  })

  test('a device cannot send commands to others', async () => {
    const device = await site.connect()
    const commands = site.topic(site.house.trv, 'commands')
    assert.deepEqual(await device.subscribe(commands), [1])
    const forger = await site.connect()
    await forger.publish(commands, '{}')
    await forger.publish(commands, '{}', { retain: true })
    const [entry = {}] = await rejectedAt(installation, 1)
    assert.deepEqual([entry['topic'], entry['reason']], [commands, 'forbidden-topic'])
    const later = await site.connect()
    await later.subscribe(commands)
    const readings = site.topic(site.house.meter, 'readings')
    assert.deepEqual(await later.subscribe(readings), [1])
    await forger.publish(readings, toReadingsPayload(['electricity', at, 1]))
    await eventually(async () => assert.equal(later.received.length, 1))
    assert.deepEqual(
      [...device.received, ...later.received].map(({ topic }) => topic),
      [readings],
    )
  })

  test('a subscription outside the site is rejected and the connection stays open; wildcards inside the site are accepted', async () => {
    const gateway = await site.connect()
    const { siteUuid } = site.house
    const elsewhere = [
      '#',
      '+/#',
      '$SYS/#',
      'portico/#',
      'portico/v1/#',
      'portico/v1/+/+/readings',
      `portico/v1/${other.house.siteUuid}/#`,
      `$share/group/portico/v1/${siteUuid}/#`,
      `portico/v1/${siteUuid}`,
    ]
    assert.deepEqual(
      await gateway.subscribe(...elsewhere),
      elsewhere.map(() => 128),
    )
    const inside = [`portico/v1/${siteUuid}/#`, `portico/v1/${siteUuid}/+/commands`]
    assert.deepEqual(await gateway.subscribe(...inside), [1, 1])
    await gateway.publish(site.topic(site.house.meter, 'readings'), toReadingsPayload(['electricity', at, 2]))
    await eventually(async () => assert.equal(gateway.received.length, 1))
  })

  test('the rules apply to a last will, too', async () => {
    const topic = other.topic(other.house.meter, 'readings')
    const payload = Buffer.from(toReadingsPayload(['electricity', '2026-02-03T00:00:00Z', 1]))
    const gateway = await site.connect({ will: { topic, payload, qos: 1, retain: false } })
    await gateway.vanish()
    await eventually(async () => {
      const [entry = {}] = await rejectedAt(installation, 1)
      assert.deepEqual([entry['topic'], entry['reason']], [topic, 'forbidden-topic'])
    })
    assert.deepEqual(await valuesAt(other.partner, other.house.meter, '2026-02-03'), [])
  })
})
