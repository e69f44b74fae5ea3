import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import {
  changed,
  device,
  type SmallSite,
  type InventoryDocument,
  makeSmallSite,
  countRecords,
} from '../support/fixtures/small-site.ts'
import { addClient, applyInventory, exportInventory } from '../support/servers/installation.ts'
import { asArray, asInteger, asObject, asString, type JsonObject } from '../support/json.ts'
import { changePartner } from '../support/clients/operator.ts'
import { assertProblem, assertUnauthorized } from '../support/oracles/problem.ts'
import { type Answer, api } from '../support/clients/requests.ts'
import type { V2Client } from '../support/clients/v2-client.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const installation = await shareDemo()
const { portico, operator } = installation

const apply = (document: unknown): Promise<JsonObject> => applyInventory(installation, document)
const requestExport = (siteUuid: string): Promise<Answer> =>
  api(portico, `/operator/inventory/${siteUuid}`, { token: operator })

const readDocument = (siteUuid: string): Promise<InventoryDocument> => exportInventory(installation, siteUuid)
const none = { created: 0, updated: 0, archived: 0, unchanged: 0 }
const getId = (record: JsonObject): unknown =>
  record['deviceUuid'] ?? record['spaceUuid'] ?? record['buildingUuid']

async function settled(): Promise<{ house: SmallSite; client: V2Client }> {
  const house = makeSmallSite()
  await apply(house.document)
  return { house, client: await addClient(installation, [house.siteUuid]) }
}

describe('PUT /operator/inventory', () => {
  test('creates a site from a document and reports the counts', async () => {
    const { document } = makeSmallSite()
    assert.deepEqual(await apply(document), { ...none, created: countRecords(document) })
  })

  test('repeated, also concurrently, changes nothing', async () => {
    const { document } = makeSmallSite()
    await apply(document)
    const answers = await Promise.all([apply(document), apply(document), apply(structuredClone(document))])
    for (const counts of answers) assert.deepEqual(counts, { ...none, unchanged: countRecords(document) })
  })

  test('partners read what the document contains, and null for what it omits', async () => {
    const { house, client } = await settled()
    const { buildings, spaces, devices, site } = house.document
    const shownSpaces = await client.list('/spaces')
    for (const declared of spaces) {
      const shown = shownSpaces.find((record) => record['spaceUuid'] === declared['spaceUuid']) ?? {}
      const missing = { clusterUuid: null, clusterName: null }
      for (const [name, value] of Object.entries({ ...missing, ...declared }))
        assert.deepEqual(shown[name], value, name)
      assert.equal(shown['buildingName'], buildings[0]?.['buildingName'])
      assert.deepEqual([shown['siteUuid'], shown['timeZone']], [site['siteUuid'], site['timeZone']])
    }
    const shown = await client.get(`/devices/${house.secondMeter}`)
    for (const name of [
      'manufacturer',
      'model',
      'serialNumber',
      'firmwareVersion',
      'installedAt',
      'lastSeenAt',
    ]) {
      assert.equal(shown[name], null, name)
    }
    assert.deepEqual([shown['status'], shown['controllable'], shown['capabilities']], ['unknown', false, {}])
    const valve = await client.get(`/devices/${house.trv}`)
    const declared = devices.find((record) => record['deviceUuid'] === house.trv) ?? {}
    assert.equal(valve['controllable'], true)
    assert.deepEqual(
      asObject(asObject(valve['capabilities'])['setpoint']),
      asObject(asObject(declared['capabilities'])['setpoint']),
    )
    const sensor = await client.get(`/devices/${house.sensor}`)
    assert.deepEqual(
      asArray(sensor['metricTypes']).map(asString).toSorted(),
      ['co2', 'temperature'],
      'a battery is no metric type',
    )
  })

  test('a change is counted, and visible to partners immediately', async () => {
    const { house, client } = await settled()
    const renamed = changed(house.document, 'spaces.0.spaceName', 'Renamed')
    const counts = await apply(renamed)
    assert.deepEqual(counts, { ...none, updated: 1, unchanged: countRecords(house.document) - 1 })
    assert.equal((await client.get(`/spaces/${house.bedroom}/overview`))['spaceName'], 'Renamed')
    assert.deepEqual(await apply(renamed), { ...none, unchanged: countRecords(house.document) })
  })

  test('a device moved to another space is listed there', async () => {
    const { house, client } = await settled()
    await apply(changed(house.document, 'devices.0.spaceUuid', house.studio))
    assert.equal((await client.get(`/devices/${house.meter}`))['spaceUuid'], house.studio)
    const inside = await client.list(`/devices?spaceUuid=${house.studio}`)
    assert.deepEqual(inside.map(getId), [house.meter])
  })

  test('the spaces of a device that moved are listed, with the times of its moves', async () => {
    const { house, client } = await settled()
    const path = `/devices/${house.meter}/placements`
    const name = (spaceUuid: string): unknown =>
      house.document.spaces.find((space) => space['spaceUuid'] === spaceUuid)?.['spaceName']
    const at = (spaceUuid: string, fromDateTime: string | null, toDateTime: string | null): JsonObject => ({
      spaceUuid,
      spaceName: name(spaceUuid),
      fromDateTime,
      toDateTime,
    })
    assert.deepEqual(await client.list(path), [at(house.bedroom, null, null)])
    const [first, second] = ['2026-01-05T10:00:00.000Z', '2026-02-06T11:30:00.000Z']
    const [meter = {}, ...devices] = house.document.devices
    const place = (spaceUuid: string, since: string): InventoryDocument => ({
      ...house.document,
      devices: [{ ...meter, spaceUuid, since }, ...devices],
    })
    await apply(place(house.studio, first))
    const back = place(house.bedroom, second)
    await apply(back)
    const placements = [
      at(house.bedroom, null, first),
      at(house.studio, first, second),
      at(house.bedroom, second, null),
    ]
    assert.deepEqual(await client.list(path), placements)
    const page = await client.get(`${path}?limit=2`)
    const { nextCursor } = asObject(page['pagination'])
    const rest = await client.get(`${path}?limit=2&cursor=${asString(nextCursor)}`)
    assert.deepEqual([...asArray(page['data']), ...asArray(rest['data'])], placements)
    // A space that is no longer in the inventory keeps its name.
    await apply({ ...back, spaces: back.spaces.filter((space) => space['spaceUuid'] !== house.studio) })
    assert.deepEqual(await client.list(path), placements)
  })

  test('the time zone of a site without readings can be corrected', async () => {
    const { house, client } = await settled()
    await apply(changed(house.document, 'site.timeZone', 'Europe/Dublin'))
    assert.equal((await client.get(`/spaces/${house.studio}/overview`))['timeZone'], 'Europe/Dublin')
  })

  test('a new site is visible to no partner until it is granted', async () => {
    const partner = await addClient(installation, [])
    const house = makeSmallSite({ siteName: 'New' })
    await apply(house.document)
    assert.deepEqual(await partner.list('/sites'), [])
    await changePartner(portico, operator, partner.partner.partnerUuid, { sites: [house.siteUuid] })
    assert.deepEqual(await partner.list('/sites'), [
      { siteUuid: house.siteUuid, siteName: 'New', timeZone: 'Europe/London', sandbox: false },
    ])
  })

  test('a list with more records than the largest page is complete without limit', async () => {
    const house = makeSmallSite()
    for (let index = 0; index < 1_200; index++) {
      const metrics = { electricity: { kind: 'register' } }
      house.document.devices.push(device(randomUUID(), 'smartPlug', house.studio, { metrics }))
    }
    assert.equal((await apply(house.document))['created'], countRecords(house.document))
    const client = await addClient(installation, [house.siteUuid])
    const all = await client.list('/devices')
    assert.equal(all.length, house.document.devices.length)
    const first = await client.get('/devices?limit=1000')
    assert.deepEqual(asArray(first['data']), all.slice(0, 1_000))
    assert.equal(asObject(first['pagination'])['hasMore'], true)
  })
})

describe('GET /operator/inventory/{siteUuid}', () => {
  test('returns the document: applying it changes nothing', async () => {
    const { house } = await settled()
    const document = await readDocument(house.siteUuid)
    assert.deepEqual(Object.keys(document).toSorted(), ['buildings', 'devices', 'site', 'spaces'])
    assert.deepEqual(await apply(document), { ...none, unchanged: countRecords(house.document) })
    assert.deepEqual(await readDocument(house.siteUuid), document)
  })

  test('contains every value that was given', async () => {
    const policy = { heating: { min: 8, max: 24 } }
    const site = { latitude: 51.5, longitude: -0.1, postcode: 'N1', sandbox: true, policy }
    const house = makeSmallSite(site)
    const extra = { firmwareVersion: '1.2.3', installedAt: '2024-05-06T07:08:09.000Z' }
    const targets = { electricity: { perDay: 4.2 } }
    Object.assign(house.document.spaces[0] ?? {}, { targets, legacyId: 345_001 })
    Object.assign(house.document.devices[0] ?? {}, extra)
    await apply(house.document)
    const document = await readDocument(house.siteUuid)
    assertHolds(document.site, house.document.site)
    for (const list of ['buildings', 'spaces', 'devices'] as const) {
      for (const given of house.document[list]) {
        assertHolds(document[list].find((record) => getId(record) === getId(given)) ?? {}, given)
      }
    }
  })

  test('an unknown site is 404, an id that is not a UUID 400', async () => {
    assertProblem(portico, await requestExport(randomUUID()), 404)
    assertProblem(portico, await requestExport('x'), 400)
  })
})

describe('version 1 identifiers', () => {
  const legacyIds = ({ site, buildings, spaces }: InventoryDocument): number[] =>
    [site, ...buildings, ...spaces].map((record) => asInteger(record['legacyId']))

  test('are assigned if the document has none, are unique, and do not change', async () => {
    const [one, two] = [await settled(), await settled()]
    const first = await readDocument(one.house.siteUuid)
    for (const id of legacyIds(first)) assert.ok(id >= 1 && id <= 2_147_483_647)
    const second = await readDocument(two.house.siteUuid)
    const spaceIds = [...first.spaces, ...second.spaces].map((record) => record['legacyId'])
    assert.equal(new Set(spaceIds).size, spaceIds.length)
    await apply(changed(one.house.document, 'spaces.0.spaceName', 'Renamed'))
    assert.deepEqual(legacyIds(await readDocument(one.house.siteUuid)), legacyIds(first))
  })

  test('are taken from the document if it has them', async () => {
    const house = makeSmallSite({ legacyId: 770_001 })
    Object.assign(house.document.buildings[0] ?? {}, { legacyId: 770_002 })
    Object.assign(house.document.spaces[3] ?? {}, { legacyId: 770_003 })
    await apply(house.document)
    const { site, buildings, spaces } = await readDocument(house.siteUuid)
    const studio = spaces.find((record) => record['spaceUuid'] === house.studio)
    const shown = [site['legacyId'], buildings[0]?.['legacyId'], studio?.['legacyId']]
    assert.deepEqual(shown, [770_001, 770_002, 770_003])
  })
})

test('both calls require an operator', async () => {
  const { house, client } = await settled()
  const calls = [
    { method: 'PUT', path: '/operator/inventory', body: house.document },
    { method: 'GET', path: `/operator/inventory/${house.siteUuid}` },
  ]
  for (const { path, ...request } of calls) {
    assertUnauthorized(portico, await api(portico, path, request), 'TokenNotPresent')
    assertProblem(portico, await api(portico, path, { ...request, token: client.token }), 403)
  }
})

test('the largest identifier allowed in a document leaves room for assigned ones', async () => {
  const house = makeSmallSite()
  Object.assign(house.document.spaces[0] ?? {}, { legacyId: 2_147_483_647 })
  await apply(house.document)
  const next = makeSmallSite()
  await apply(next.document)
  for (const { siteUuid } of [house, next]) {
    for (const record of (await readDocument(siteUuid)).spaces) {
      assert.ok(asInteger(record['legacyId']) <= 2_147_483_647, JSON.stringify(record))
    }
  }
})

function assertHolds(record: JsonObject, given: JsonObject): void {
  const shown = Object.fromEntries(Object.keys(given).map((name) => [name, record[name]]))
  assert.partialDeepStrictEqual(shown, given, asString(JSON.stringify(record)))
}
