import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { override } from '../support/control/bodies.ts'
import { eventually } from '../support/eventually.ts'
import { makeInstanceGroup, SEEN_WITHIN_MS, type InstanceGroup } from '../support/servers/instances.ts'
import { asArray, asObject, asString } from '../support/json.ts'
import type { Portico } from '../support/servers/portico.ts'
import { type Answer, api, demoToken, operatorToken, tokenFor } from '../support/clients/requests.ts'
import { type V2Client, v2Client } from '../support/clients/v2-client.ts'

let together: InstanceGroup
let one: Portico
let other: Portico
let valve = ''
let at: (portico: Portico) => V2Client

before(async () => {
  together = await makeInstanceGroup()
  ;[one, other] = await Promise.all([together.start({ demo: true }), together.start({ demo: true })])
  const token = await demoToken(one)
  at = (portico) => v2Client(portico, token, one.demoEnv.SITE_ID)
  const devices = await at(one).list('/devices?deviceType=trv')
  valve = asString(devices[0]?.['deviceUuid'])
})
after(() => together.remove())

async function mode(portico: Portico, name: string): Promise<void> {
  const answer = await at(portico).post(`/sandbox/devices/${valve}/simulate`, { mode: name })
  assert.equal(answer.status, 200, answer.text)
}

const hasStatus = (portico: Portico, status: string): Promise<void> =>
  eventually(async () => assert.equal((await at(portico).get(`/devices/${valve}`))['status'], status))

async function ends(portico: Portico, state: string): Promise<void> {
  const answer = await at(portico).post(`/devices/${valve}/schedule`, override(20))
  assert.equal(answer.status, 202, answer.text)
  const path = `/devices/${valve}/commands/${asString(answer.json['commandUuid'])}`
  await eventually(async () => assert.equal((await at(portico).get(path))['state'], state))
}

describe('the demo in two instances', () => {
  test('is created once although both start concurrently, and the credentials in each folder are valid at both', async () => {
    const operator = await operatorToken(other)
    const named = (answer: Answer): string[] =>
      asArray(answer.json['data']).map((partner) => asString(asObject(partner)['name']))
    const partners = await api(one, '/operator/partners', { token: operator })
    assert.deepEqual(named(partners).toSorted(), ['Demo operator', 'Demo partner'])
    for (const { demoEnv } of [one, other])
      for (const portico of [one, other])
        await eventually(async () => {
          await tokenFor(portico, demoEnv.CLIENT_ID, demoEnv.CLIENT_SECRET)
          await tokenFor(portico, demoEnv.OPERATOR_CLIENT_ID, demoEnv.OPERATOR_CLIENT_SECRET)
        }, SEEN_WITHIN_MS)
    const accounts = [one, other].map(({ demoEnv }) => demoEnv.MQTT_USERNAME)
    const gateways = await api(one, `/operator/sites/${one.demoEnv.SITE_ID}/gateways`, { token: operator })
    const known = asArray(gateways.json['data']).map((gateway) => asString(asObject(gateway)['mqttUsername']))
    assert.deepEqual(known.toSorted(), accounts.toSorted())
  })

  test('reuses the credentials of an existing folder', async () => {
    const third = await together.start({ demo: true, dataDir: one.dataDir })
    assert.deepEqual(third.demoEnv, one.demoEnv)
    await demoToken(third)
    await third.stop()
  })

  test('a mode set through one applies to both', async () => {
    for (const [setter, requested] of [
      [one, other],
      [other, one],
    ] as const) {
      await mode(setter, 'offline')
      await hasStatus(requested, 'offline')
      await mode(setter, 'reject')
      await hasStatus(requested, 'online')
      await ends(requested, 'FAILED')
      await mode(requested, 'online')
      await ends(setter, 'CONFIRMED')
    }
  })

  test('the simulation continues in the same modes when one instance is killed', async () => {
    await mode(other, 'reject')
    await one.kill()
    await ends(other, 'FAILED')
    await mode(other, 'online')
    await ends(other, 'CONFIRMED')
  })
})
