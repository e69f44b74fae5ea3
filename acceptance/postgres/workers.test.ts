import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { oneOff } from '../support/control/bodies.ts'
import { getId } from '../support/control/control-site.ts'
import { connectRecordingDevice, endRecordingDevices } from '../support/control/recording-device.ts'
import { connectionsTo } from '../support/servers/backend.ts'
import { eventually } from '../support/eventually.ts'
import { addClient, type Installation, startInstallation } from '../support/servers/installation.ts'
import { asString } from '../support/json.ts'
import { type Mosquitto, startMosquitto } from '../support/servers/mosquitto.ts'
import { connectDevice, endDevices, toReadingsPayload } from '../support/clients/mqtt.ts'
import { addMqttSite, metricAt, type MqttSite, valuesAt } from '../support/fixtures/mqtt-site.ts'
import { type Answer, api } from '../support/clients/requests.ts'
import { assertLimitedTo } from '../support/oracles/sliding-window.ts'
import { answeredBy, everyServerHasWorkers, untilGone, listWorkers } from '../support/servers/workers.ts'

everyServerHasWorkers(2)

/** Twelve for each of the three processes, one for the lock and one for the rate-limit counters. */
const MOST_CONNECTIONS = 3 * 12 + 2
const PER_MINUTE = 300

let mosquitto: Mosquitto
let installation: Installation
let site: MqttSite

before(async () => {
  mosquitto = await startMosquitto()
  const limits = {
    RATE_LIMIT: 'on',
    RATE_LIMIT_PER_MINUTE: `${PER_MINUTE}`,
    RATE_LIMIT_PER_5_MINUTES: '5000',
  }
  installation = await startInstallation(limits, { mqttUrl: mosquitto.url })
  site = await addMqttSite(installation)
  await eventually(async () =>
    assert.equal(await metricAt(installation.portico, 'portico_mqtt_external_connected'), 1),
  )
})
after(async () => {
  endDevices()
  endRecordingDevices()
  await installation.stop()
  await mosquitto.remove()
})

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
const newClient = () => addClient(installation, [site.house.siteUuid])

describe('two workers on PostgreSQL, each with its own connections', () => {
  test('a write of one is visible in the next response of either', async () => {
    const { portico, operator } = installation
    for (const name of ['First', 'Second', 'Third', 'Fourth']) {
      const body = { name, sites: [], roles: [] }
      const made = await api(portico, '/operator/partners', { method: 'POST', token: operator, body })
      assert.equal(made.status, 201, made.text)
      const path = `/operator/partners/${asString(made.json['partnerUuid'])}`
      const answers = await Promise.all(upTo(4).map(() => api(portico, path, { token: operator })))
      for (const { json } of answers) assert.equal(json['name'], name)
    }
    await eventually(async () => assert.deepEqual(answeredBy(installation.portico), new Set(['1', '2'])))
  })

  test('a message of a device is processed once, however many processes there are', async () => {
    const device = await connectDevice(mosquitto.url)
    const { meter } = site.house
    const at = (minute: number): string =>
      new Date(Date.parse('2026-05-01T00:00:00Z') + minute * 60_000).toISOString()
    await Promise.all(
      upTo(200).map((minute) =>
        device.publish(site.topic(meter, 'readings'), toReadingsPayload(['electricity', at(minute), minute])),
      ),
    )
    await eventually(async () =>
      assert.deepEqual(await valuesAt(site.partner, meter, '2026-05-01'), upTo(200)),
    )
    assert.equal(await metricAt(installation.portico, 'portico_mqtt_messages_total', 'kind="readings"'), 200)
  })

  test('a command is sent once, whichever worker accepted it', async () => {
    const client = await newClient()
    const { siteUuid, trv } = site.house
    const device = await connectRecordingDevice({
      url: mosquitto.url,
      account: site.account,
      siteUuid,
      deviceUuid: trv,
    })
    const commands = await Promise.all(
      upTo(5).map(async (number) => {
        const from = (number + 1) * 3600
        const body = oneOff(Date.now(), [from, from + 1800])
        const made = await client.post(`/devices/${trv}/schedule`, body)
        assert.equal(made.status, 202, made.text)
        return made.json
      }),
    )
    for (const command of commands) {
      const path = `/devices/${trv}/commands/${getId(command)}`
      await eventually(async () => assert.equal((await client.get(path))['state'], 'CONFIRMED'))
      assert.equal(device.about(getId(command)).length, 1)
    }
  })

  test('limits apply to the server as a whole, and are counted in the database', async () => {
    assert.equal(await metricAt(installation.portico, 'portico_limits_shared', 'by="postgres"'), 1)
    // A server whose database responds too late counts alone for a moment; the check is then repeated with a new
    // partner.
    await eventually(async () => {
      const client = await newClient()
      await assertLimitedTo(PER_MINUTE, async () => {
        const answers: Answer[] = await Promise.all(upTo(PER_MINUTE + 60).map(() => client.send('/spaces')))
        const passed = answers.filter(({ status }) => status === 200).length
        assert.equal(passed + answers.filter(({ status }) => status === 429).length, answers.length)
        return passed
      })
    })
  })

  test('they use no more connections than documented, and SIGTERM closes all', async () => {
    const { portico } = installation
    let most = 0
    await Promise.all([
      ...upTo(60).map(() => addClient(installation, [site.house.siteUuid])),
      ...upTo(20).map(async () => {
        most = Math.max(most, await connectionsTo(portico.dataDir))
      }),
    ])
    assert.ok(most > 0 && most <= MOST_CONNECTIONS, `${most} connections`)
    const workers = await listWorkers(portico)
    assert.equal(workers.length, 2)
    assert.equal(await portico.stop(), 0, portico.output())
    await untilGone(workers)
    await eventually(async () => assert.equal(await connectionsTo(portico.dataDir), 0))
  })
})
