import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { parseCsv } from '../support/oracles/csv.ts'
import { type InventoryDocument, makeSmallSite, space } from '../support/fixtures/small-site.ts'
import {
  addClient,
  applyInventory,
  exportInventory,
  startInstallation,
} from '../support/servers/installation.ts'
import { asArray, asInteger, asObject, asString, type JsonObject } from '../support/json.ts'
import { assertFieldRefused, assertProblem } from '../support/oracles/problem.ts'
import { send } from '../support/clients/requests.ts'

const installation = await startInstallation()
after(() => installation.stop())
const { portico } = installation

// Numbers of different lengths, in a different order than the names, so that sorting them as text would show.
const house = makeSmallSite({ legacyId: 41 })
const { buildingUuid } = house.document.buildings[0] as { buildingUuid: string }
const numbers = [1_000_000, 9, 2_147_483_647, 100]
for (const [index, legacyId] of numbers.entries()) {
  Object.assign(house.document.spaces[index] ?? {}, { legacyId })
}
const spare = space(crypto.randomUUID(), 'office', { buildingUuid, spaceName: 'Office, "old"' })
house.document.spaces.push(spare)
await applyInventory(installation, house.document)
const other = makeSmallSite()
await applyInventory(installation, other.document)
const client = await addClient(installation, [house.siteUuid])

/** The expected map: by type, then by number. */
function expectMap({ site, buildings, spaces }: InventoryDocument): JsonObject[] {
  const entries = (type: string, records: JsonObject[]): JsonObject[] =>
    records
      .map((record) => ({
        type,
        id: asInteger(record['legacyId']),
        uuid: record[`${type}Uuid`],
        name: record[`${type}Name`],
      }))
      .toSorted((a, b) => a.id - b.id)
  return [...entries('site', [site]), ...entries('building', buildings), ...entries('space', spaces)]
}
const expected = expectMap(await exportInventory(installation, house.siteUuid))

test('the map has the number, UUID and name of the site, its buildings and its spaces, as in the inventory', async () => {
  const body = await client.get('/migration/id-map')
  assert.deepEqual(body, { data: expected, pagination: { nextCursor: null, hasMore: false } })
  assert.deepEqual(
    expected.map(({ type }) => type),
    ['site', 'building', 'space', 'space', 'space', 'space', 'space'],
  )
})

describe('type', () => {
  for (const types of ['site', 'building', 'space', 'space,site', 'site,building,space', 'space,space']) {
    test(`${types} selects only those`, async () => {
      const wanted = expected.filter(({ type }) => types.split(',').includes(asString(type)))
      assert.deepEqual(await client.list(`/migration/id-map?type=${types}`), wanted)
      assert.deepEqual(await client.list(`/migration/id-map?type=${encodeURIComponent(types)}`), wanted)
    })
  }

  test('an unknown type is 400, alone and among known ones', async () => {
    for (const types of ['floor', 'site,floor', 'Site', '', ',', 'site,', 'site building', 'toString']) {
      const answer = await client.send(`/migration/id-map?type=${encodeURIComponent(types)}`)
      assertFieldRefused(portico, answer, 'type')
    }
    assertFieldRefused(portico, await client.send('/migration/id-map?type=site&type=space'), 'type')
  })
})

test('as CSV it has the same rows', async () => {
  const answer = await client.send('/migration/id-map', { headers: { Accept: 'text/csv' } })
  assert.equal(answer.status, 200, answer.text)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/csv\b/)
  assert.equal(answer.text.split('\r\n', 1)[0], 'type,id,uuid,name')
  assert.deepEqual(
    parseCsv(answer.text),
    expected.map((entry) => ({ ...entry, id: String(entry['id']) })),
  )
})

test('its pages are the whole map, with any limit, and the last has no link', async () => {
  for (const [limit, types] of [1, 2, 3, expected.length, 1_000].flatMap((size) => [
    [size, ''] as const,
    [size, 'space,site'] as const,
  ])) {
    const wanted = expected.filter(({ type }) => types === '' || types.split(',').includes(asString(type)))
    const found: unknown[] = []
    let address = `${portico.baseUrl}/migration/id-map?limit=${limit}${types && `&type=${types}`}`
    for (;;) {
      const headers = { authorization: `Bearer ${client.token}`, SiteId: client.siteId }
      const answer = await send(address, { headers })
      assert.equal(answer.status, 200, answer.text)
      const rows = asArray(answer.json['data'])
      assert.ok(rows.length <= limit)
      found.push(...rows)
      const link = answer.headers.get('link')
      assert.equal(asObject(answer.json['pagination'])['hasMore'], link !== null)
      if (link === null) break
      address = /^<([^>]+)>; rel="next"$/.exec(link)?.[1] ?? assert.fail(link)
    }
    assert.deepEqual(found, wanted, `limit ${limit}, type ${types}`)
  }
})

test('a cursor is bound to its types', async () => {
  const page = await client.get('/migration/id-map?type=space&limit=1')
  const cursor = asString(asObject(page['pagination'])['nextCursor'])
  assertFieldRefused(
    portico,
    await client.send(`/migration/id-map?type=site&limit=1&cursor=${cursor}`),
    'cursor',
  )
})

describe('access', () => {
  test('any partner may read it, with any roles', async () => {
    for (const roles of [['V1.Read'], ['Devices.Control'], []]) {
      const partner = await addClient(installation, [house.siteUuid], roles)
      assert.deepEqual(await partner.list('/migration/id-map'), expected)
    }
  })

  test('a site that is not granted is 403, and does not appear in the map of another', async () => {
    const answer = await client.send('/migration/id-map', { headers: { SiteId: other.siteUuid } })
    assertProblem(portico, answer, 403)
    const foreign = JSON.stringify(expectMap(await exportInventory(installation, other.siteUuid)))
    const own = JSON.stringify(await client.list('/migration/id-map'))
    for (const { uuid } of expected) assert.ok(!foreign.includes(asString(uuid)))
    for (const uuid of [other.siteUuid, other.buildingUuid, other.bedroom]) assert.ok(!own.includes(uuid))
  })

  test('a partner with two sites gets the map of the one it names', async () => {
    const both = await addClient(installation, [house.siteUuid, other.siteUuid])
    const answer = await both.send('/migration/id-map', { headers: { SiteId: other.siteUuid } })
    assert.deepEqual(answer.json['data'], expectMap(await exportInventory(installation, other.siteUuid)))
  })

  test('archived records are not in the map; a record that returns has its old number', async () => {
    const without = { ...house.document, spaces: house.document.spaces.filter((one) => one !== spare) }
    await applyInventory(installation, without)
    assert.deepEqual(
      await client.list('/migration/id-map'),
      expected.filter(({ uuid }) => uuid !== spare['spaceUuid']),
    )
    await applyInventory(installation, house.document)
    assert.deepEqual(await client.list('/migration/id-map'), expected)
  })
})
