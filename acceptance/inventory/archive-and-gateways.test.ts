import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import {
  type SmallSite,
  type InventoryDocument,
  makeSmallSite,
  countRecords,
  space,
} from '../support/fixtures/small-site.ts'
import { addClient, applyInventory, exportInventory } from '../support/servers/installation.ts'
import { asArray, asInteger, asObject, asString, asUuid, type JsonObject } from '../support/json.ts'
import { assertFieldRefused, assertProblem, assertUnauthorized } from '../support/oracles/problem.ts'
import { type Answer, api } from '../support/clients/requests.ts'
import type { V2Client } from '../support/clients/v2-client.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const installation = await shareDemo()
const { portico, operator } = installation

const apply = (document: unknown): Promise<JsonObject> => applyInventory(installation, document)
const none = { created: 0, updated: 0, archived: 0, unchanged: 0 }
const getId = (record: JsonObject): string =>
  asString(record['deviceUuid'] ?? record['spaceUuid'] ?? record['buildingUuid'])

/** A document without the records with these identifiers. */
function without(document: InventoryDocument, ...ids: string[]): InventoryDocument {
  const keep = (records: JsonObject[]): JsonObject[] =>
    records.filter((record) => !ids.includes(getId(record)))
  return {
    ...document,
    buildings: keep(document.buildings),
    spaces: keep(document.spaces),
    devices: keep(document.devices),
  }
}

async function settled(): Promise<{ house: SmallSite; client: V2Client }> {
  const house = makeSmallSite()
  await apply(house.document)
  return { house, client: await addClient(installation, [house.siteUuid]) }
}

describe('records missing from the document are archived', () => {
  test('a device: counted, 404 like one that never existed, and not listed', async () => {
    const { house, client } = await settled()
    const counts = await apply(without(house.document, house.trv))
    assert.deepEqual(counts, { ...none, archived: 1, unchanged: countRecords(house.document) - 1 })
    const masked = async (id: string): Promise<string> => {
      const answer = await client.send(`/devices/${id}`)
      assertProblem(portico, answer, 404)
      return answer.text.replace(/"(instance|traceId)":"[^"]*"/g, '')
    }
    assert.equal(await masked(house.trv), await masked(randomUUID()))
    for (const path of [`/devices/${house.trv}/commands`, `/devices/${house.trv}/consumption/temperature`]) {
      assertProblem(portico, await client.send(path), 404)
    }
    assertProblem(portico, await client.post(`/devices/${house.trv}/schedule`, { type: 'resume' }), 404)
    assert.ok(!(await client.list('/devices')).map(getId).includes(house.trv))
    assert.equal((await client.get(`/spaces/${house.bedroom}/overview`))['deviceCount'], 2)
    const again = await apply(without(house.document, house.trv))
    assert.deepEqual(again, { ...none, unchanged: countRecords(house.document) - 1 })
  })

  test('a space with its devices, and a building with its spaces', async () => {
    const house = makeSmallSite()
    const [annexe, attic] = [randomUUID(), randomUUID()]
    house.document.buildings.push({ buildingUuid: annexe, buildingName: 'Annexe' })
    house.document.spaces.push(space(attic, 'office', { buildingUuid: annexe }))
    await apply(house.document)
    const client = await addClient(installation, [house.siteUuid])
    const gone = [house.bedroom, house.meter, house.sensor, house.trv, annexe, attic]
    assert.equal((await apply(without(house.document, ...gone)))['archived'], gone.length)
    for (const id of [house.bedroom, attic]) {
      for (const path of ['overview', 'aggregate/electricity/hourly', 'aggregate/electricity/daily']) {
        assertProblem(portico, await client.send(`/spaces/${id}/${path}`), 404)
      }
    }
    assert.deepEqual(
      new Set((await client.list('/spaces')).map(getId)),
      new Set([house.secondBedroom, house.kitchen, house.studio]),
    )
    assert.deepEqual(await client.list(`/spaces?buildingUuid=${annexe}`), [])
    const exported = JSON.stringify(await exportInventory(installation, house.siteUuid))
    for (const id of gone) assert.ok(!exported.includes(id))
  })

  test('a record that returns to the document keeps its identifiers', async () => {
    const { house, client } = await settled()
    const before = await exportInventory(installation, house.siteUuid)
    const commands = `/devices/${house.trv}/commands`
    assert.equal((await client.post(`/devices/${house.trv}/schedule`, { type: 'resume' })).status, 202)
    await apply(without(house.document, house.bedroom, house.meter, house.sensor, house.trv))
    assertProblem(portico, await client.send(commands), 404)
    const counts = await apply(house.document)
    assert.equal(asInteger(counts['created']) + asInteger(counts['updated']), 4)
    assert.deepEqual([counts['archived'], counts['unchanged']], [0, countRecords(house.document) - 4])
    const again = await exportInventory(installation, house.siteUuid)
    // The start of a device's placement is new.
    for (const record of again.devices) delete record['since']
    assert.deepEqual(again, before)
    assert.equal((await client.list(commands)).length, 1)
  })

  test('another site is unaffected', async () => {
    const { house, client } = await settled()
    const before = await client.get('/devices')
    const other = makeSmallSite()
    await apply(other.document)
    await apply({ ...other.document, spaces: [], devices: [] })
    assert.deepEqual(await client.get('/devices'), before)
    assert.deepEqual(await apply(house.document), { ...none, unchanged: countRecords(house.document) })
  })
})

describe('gateways of a site', () => {
  const at = (siteUuid: string, gatewayUuid = ''): string =>
    `/operator/sites/${siteUuid}/gateways${gatewayUuid === '' ? '' : `/${gatewayUuid}`}`
  const post = (siteUuid: string, body: unknown): Promise<Answer> =>
    api(portico, at(siteUuid), { method: 'POST', token: operator, body })
  const remove = (siteUuid: string, gatewayUuid: string): Promise<Answer> =>
    api(portico, at(siteUuid, gatewayUuid), { method: 'DELETE', token: operator })
  const listed = async (siteUuid: string): Promise<string[]> => {
    const answer = await api(portico, at(siteUuid), { token: operator })
    assert.equal(answer.status, 200, answer.text)
    assert.doesNotMatch(answer.text, /password/i)
    return asArray(answer.json['data']).map((record) => asString(asObject(record)['gatewayUuid']))
  }

  test('POST creates an account and returns its password once; GET lists it; DELETE removes it', async () => {
    const { house } = await settled()
    assert.deepEqual(await listed(house.siteUuid), [])
    const answer = await post(house.siteUuid, { name: 'Riser 1' })
    assert.equal(answer.status, 201, answer.text)
    const gatewayUuid = asUuid(answer.json['gatewayUuid'])
    const { mqttUsername, mqttPassword } = answer.json
    assert.notEqual(asString(mqttUsername), '')
    assert.ok(asString(mqttPassword).length >= 20)
    const second = asUuid((await post(house.siteUuid, { name: 'Riser 2' })).json['gatewayUuid'])
    assert.deepEqual(new Set(await listed(house.siteUuid)), new Set([gatewayUuid, second]))
    const shown = await api(portico, at(house.siteUuid), { token: operator })
    assert.ok(shown.text.includes('Riser 1') && !shown.text.includes(asString(mqttPassword)))
    assert.equal((await remove(house.siteUuid, gatewayUuid)).status, 204)
    assert.deepEqual(await listed(house.siteUuid), [second])
    assertProblem(portico, await remove(house.siteUuid, gatewayUuid), 404)
  })

  test('a gateway is accessible through its own site only', async () => {
    const [one, two] = [await settled(), await settled()]
    const { gatewayUuid } = (await post(one.house.siteUuid, { name: 'Riser' })).json
    assertProblem(portico, await remove(two.house.siteUuid, asString(gatewayUuid)), 404)
    assert.deepEqual(await listed(two.house.siteUuid), [])
    assert.deepEqual(await listed(one.house.siteUuid), [gatewayUuid])
  })

  test('an unknown site or gateway is 404, an id that is not a UUID 400, and an invalid body names its field', async () => {
    const { house, client } = await settled()
    assertProblem(portico, await post(randomUUID(), { name: 'Riser' }), 404)
    assertProblem(portico, await api(portico, at(randomUUID()), { token: operator }), 404)
    assertProblem(portico, await remove(house.siteUuid, randomUUID()), 404)
    assertProblem(portico, await post('x', { name: 'Riser' }), 400)
    assertProblem(portico, await remove(house.siteUuid, 'x'), 400)
    for (const name of ['', 7, null, undefined])
      assertFieldRefused(portico, await post(house.siteUuid, { name }), 'name')
    assertFieldRefused(portico, await post(house.siteUuid, { name: 'x', colour: 'blue' }), 'colour')
    assertProblem(portico, await post(house.siteUuid, '['), 400)
    for (const method of ['GET', 'POST'] as const) {
      const request = { method, ...(method === 'POST' && { body: { name: 'x' } }) }
      assertProblem(portico, await api(portico, at(house.siteUuid), { ...request, token: client.token }), 403)
      assertUnauthorized(portico, await api(portico, at(house.siteUuid), request), 'TokenNotPresent')
    }
  })
})
