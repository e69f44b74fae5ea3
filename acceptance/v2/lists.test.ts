import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { addClient, applyInventory } from '../support/servers/installation.ts'
import { asArray, asObject, asString, type JsonObject } from '../support/json.ts'
import { assertFieldRefused, assertProblem } from '../support/oracles/problem.ts'
import { send } from '../support/clients/requests.ts'
import { query } from '../support/clients/v2-client.ts'
import { eventually } from '../support/eventually.ts'
import { deviceTypes, metricTypes, spaceTypes } from '../support/fixtures/spec-enums.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const demo = await shareDemo()
const { client, portico } = demo

const lists = [
  { path: '/spaces', id: 'spaceUuid', all: await client.list('/spaces') },
  { path: '/devices', id: 'deviceUuid', all: await client.list('/devices') },
]
const [spaces = [], devices = []] = lists.map(({ all }) => all)
const listIds = (records: JsonObject[], id: string): string[] => records.map((record) => asString(record[id]))

interface Page {
  records: JsonObject[]
  nextCursor: string | null
}

async function page(path: string, params: Record<string, string>): Promise<Page> {
  const body = await client.get(`${path}${query(params)}`)
  const { nextCursor, hasMore } = asObject(body['pagination'])
  assert.equal(hasMore, nextCursor !== null)
  const records = asArray(body['data']).map(asObject)
  return { records, nextCursor: nextCursor === null ? null : asString(nextCursor) }
}

async function pages(path: string, params: Record<string, string>, limit: number): Promise<JsonObject[]> {
  const records: JsonObject[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const next = await page(path, { ...params, limit: String(limit), ...(cursor && { cursor }) })
    assert.ok(next.records.length <= limit)
    if (next.nextCursor !== null) assert.equal(next.records.length, limit)
    records.push(...next.records)
    cursor = next.nextCursor
  }
  return records
}

async function firstCursor(path: string, params: Record<string, string> = {}): Promise<string> {
  return asString((await page(path, { ...params, limit: '3' })).nextCursor)
}

for (const { path, id, all } of lists) {
  describe(`GET ${path}`, () => {
    test(`GET ${path} without limit is the whole list, in a stable order`, async () => {
      const body = await client.get(path)
      assert.deepEqual(Object.keys(body).toSorted(), ['data', 'pagination'])
      assert.deepEqual(body['pagination'], { nextCursor: null, hasMore: false })
      assert.deepEqual(listIds(await client.list(path), id), listIds(all, id))
    })

    test(`the pages of ${path} are the whole list, with any limit`, async () => {
      const size = all.length
      const limit = fc.oneof(
        fc.integer({ min: 5, max: size + 5 }),
        fc.constantFrom(size - 1, size, size + 1, 1_000),
      )
      await fc.assert(
        fc.asyncProperty(limit, async (drawn) => {
          assert.deepEqual(listIds(await pages(path, {}, drawn), id), listIds(all, id))
        }),
        { numRuns: 15, examples: [[1_000], [size], [7]] },
      )
    })

    test(`a page of ${path} may be followed by one of another size`, async () => {
      const cursor = await firstCursor(path)
      const { records } = await page(path, { limit: '5', cursor })
      assert.deepEqual(listIds(records, id), listIds(all.slice(3, 8), id))
    })

    test(`Link rel="next" of ${path} leads through the pages, and the last has none`, async () => {
      const seen: string[] = []
      let address = `${client.portico.baseUrl}${path}?limit=40&metricType=temperature`
      for (;;) {
        const headers = { authorization: `Bearer ${client.token}`, SiteId: client.siteId }
        const answer = await send(address, { headers })
        assert.equal(answer.status, 200, answer.text)
        seen.push(...listIds(asArray(answer.json['data']).map(asObject), id))
        const link = answer.headers.get('link')
        const { hasMore } = asObject(answer.json['pagination'])
        assert.equal(hasMore, link !== null)
        if (link === null) break
        const next = /^<([^>]+)>; ?rel="?next"?$/.exec(link)?.[1]
        assert.ok(next, link)
        address = new URL(next, address).href
        assert.ok(address.startsWith(`${portico.url}/v2${path}?`), address)
      }
      assert.deepEqual(seen, listIds(await client.list(`${path}?metricType=temperature`), id))
    })

    test(`${path} rejects a limit outside 1..1000`, async () => {
      for (const limit of [
        '0',
        '-1',
        '1001',
        '1.5',
        '1e2',
        '0x10',
        'x',
        '',
        ' ',
        'NaN',
        '99999999999999999999',
      ]) {
        const answer = await client.send(`${path}${query({ limit })}`)
        assertFieldRefused(portico, answer, 'limit')
      }
      assertProblem(portico, await client.send(`${path}?limit=5&limit=6`), 400)
      assert.equal((await page(path, { limit: '1' })).records.length, 1)
    })

    test(`a forged cursor of ${path} is 400`, async () => {
      const cursor = await firstCursor(path)
      const middle = Math.floor(cursor.length / 2)
      const swapped = cursor[middle] === 'A' ? 'B' : 'A'
      const forged = [
        '',
        'x',
        '0',
        'null',
        cursor.slice(0, -4),
        cursor.slice(4),
        `${cursor}${cursor}`,
        `${cursor.slice(0, middle)}${swapped}${cursor.slice(middle + 1)}`,
        Buffer.from('{"offset":3}').toString('base64url'),
        'A'.repeat(4_000),
      ]
      for (const wrong of forged) {
        assertProblem(portico, await client.send(`${path}${query({ limit: '3', cursor: wrong })}`), 400)
      }
    })

    test(`a cursor of ${path} is bound to its list, its filters, its partner and its site`, async () => {
      const own = makeSmallSite()
      await applyInventory(demo, own.document)
      const both = await addClient(demo, [client.siteId, own.siteUuid])
      const cursor = await firstCursor(path)
      const at = (place: string): string =>
        `${place}${place.includes('?') ? '&' : '?'}limit=3&cursor=${cursor}`
      assert.equal((await client.send(at(path))).status, 200)
      const other = path === '/spaces' ? '/devices' : '/spaces'
      assertProblem(portico, await client.send(at(other)), 400)
      assertProblem(portico, await client.send(at(`${path}?metricType=temperature`)), 400)
      assertProblem(portico, await both.send(at(path)), 400)
      const filtered = await firstCursor(path, { metricType: 'temperature' })
      const bare = `${path}${query({ limit: '3', cursor: filtered })}`
      assertProblem(portico, await client.send(bare), 400)
      const theirs = await both.get(`${path}?limit=1`)
      const elsewhere = asString(asObject(theirs['pagination'])['nextCursor'])
      const headers = { SiteId: own.siteUuid }
      assertProblem(portico, await both.send(`${path}?limit=1&cursor=${elsewhere}`, { headers }), 400)
    })
  })
}

describe('filters', () => {
  type Test = [
    list: string,
    name: string,
    all: JsonObject[],
    matches: (record: JsonObject, value: string) => boolean,
  ]
  const equal =
    (name: string) =>
    (record: JsonObject, value: string): boolean =>
      record[name] === value
  const measures = (record: JsonObject, value: string): boolean =>
    asArray(record['metricTypes']).includes(value)
  const filters: Test[] = [
    ['/spaces', 'buildingUuid', spaces, equal('buildingUuid')],
    ['/spaces', 'clusterUuid', spaces, equal('clusterUuid')],
    ['/spaces', 'spaceType', spaces, equal('spaceType')],
    ['/spaces', 'metricType', spaces, measures],
    ['/devices', 'buildingUuid', devices, equal('buildingUuid')],
    ['/devices', 'clusterUuid', devices, equal('clusterUuid')],
    ['/devices', 'spaceUuid', devices, equal('spaceUuid')],
    ['/devices', 'deviceType', devices, equal('deviceType')],
    ['/devices', 'metricType', devices, measures],
    ['/devices', 'status', devices, equal('status')],
  ]
  for (const [list, name, all, matches] of filters) {
    const id = list === '/spaces' ? 'spaceUuid' : 'deviceUuid'
    const field = name === 'metricType' ? 'metricTypes' : name
    const found = new Set(all.flatMap((record) => record[field]).filter((value) => typeof value === 'string'))

    test(`${list}?${name}= returns exactly the matching records, in the order of the list`, async () => {
      assert.ok(found.size > 0)
      const check = async (records: JsonObject[], value: string): Promise<void> => {
        const expected = listIds(
          records.filter((record) => matches(record, value)),
          id,
        )
        assert.deepEqual(
          listIds(await client.list(`${list}${query({ [name]: value })}`), id),
          expected,
          value,
        )
        assert.deepEqual(listIds(await pages(list, { [name]: value }, 17), id), expected, value)
      }
      for (const value of [...found].slice(0, 8)) {
        // The status of a device of the demo may change meanwhile.
        if (name === 'status') await eventually(async () => check(await client.list(list), value))
        else await check(all, value)
      }
    })

    test(`${list}?${name}= rejects invalid values`, async () => {
      for (const value of ['nothing', '', 'TRV', '%00', '1']) {
        assertFieldRefused(portico, await client.send(`${list}?${name}=${value}`), name)
      }
    })
  }

  test('/spaces?floorNumber= returns exactly the spaces of the floor', async () => {
    const floors = new Set(spaces.map(({ floorNumber }) => floorNumber))
    assert.ok(floors.size > 2)
    for (const floor of floors) {
      const expected = spaces.filter(({ floorNumber }) => floorNumber === floor)
      const found = await client.list(`/spaces?floorNumber=${String(floor)}`)
      assert.deepEqual(listIds(found, 'spaceUuid'), listIds(expected, 'spaceUuid'))
    }
    assert.deepEqual(await client.list('/spaces?floorNumber=4711'), [])
    for (const value of ['ground', '', '1.5', '12345'])
      assertFieldRefused(portico, await client.send(`/spaces?floorNumber=${value}`), 'floorNumber')
  })

  test('/spaces?search= returns the spaces whose name contains the text, in any case', async () => {
    for (const text of ['room', 'ROOM', 'Plant room', '(', 'no such name']) {
      const expected = spaces.filter(({ spaceName }) =>
        asString(spaceName).toLowerCase().includes(text.toLowerCase()),
      )
      const found = await pages('/spaces', { search: text }, 7)
      assert.deepEqual(listIds(found, 'spaceUuid'), listIds(expected, 'spaceUuid'), text)
    }
    for (const value of ['', 'x'.repeat(101)])
      assertFieldRefused(portico, await client.send(`/spaces?search=${value}`), 'search')
  })

  test('several filters are combined', async () => {
    const [one = {}] = devices.filter(
      (record) => record['deviceType'] === 'trv' && record['clusterUuid'] !== null,
    )
    const params = { deviceType: 'trv', clusterUuid: asString(one['clusterUuid']) }
    const expected = devices.filter(
      (record) => record['deviceType'] === 'trv' && record['clusterUuid'] === one['clusterUuid'],
    )
    const found = await client.list(`/devices${query(params)}`)
    assert.deepEqual(listIds(found, 'deviceUuid'), listIds(expected, 'deviceUuid'))
    assert.deepEqual(await client.list(`/devices${query({ ...params, metricType: 'gas' })}`), [])
  })

  test('an unknown enum value is answered with the allowed ones', async () => {
    for (const [path, allowed] of [
      ['/spaces?spaceType=castle', spaceTypes],
      ['/devices?deviceType=kettle', deviceTypes],
      ['/devices?metricType=battery', metricTypes.slice(0, 17)],
      ['/devices?status=asleep', ['online', 'offline', 'unknown']],
    ] as const) {
      const answer = await client.send(path)
      assertProblem(portico, answer, 400)
      for (const value of allowed) assert.ok(answer.text.includes(value), `${path}: ${value}`)
    }
  })
})
