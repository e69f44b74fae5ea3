import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { assertCell, csvHeader, parseCsv } from '../support/oracles/csv.ts'
import { device, makeSmallSite } from '../support/fixtures/small-site.ts'
import { type BytesAnswer, decoded, sendForBytes } from '../support/clients/http-bytes.ts'
import { addClient, applyInventory } from '../support/servers/installation.ts'
import { asString, type JsonObject } from '../support/json.ts'
import { assertProblem } from '../support/oracles/problem.ts'
import { readSeries } from '../support/clients/series.ts'
import type { Answer } from '../support/clients/requests.ts'
import type { V2Client } from '../support/clients/v2-client.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const demo = await shareDemo()
const { client, portico } = demo

const devices = await client.list('/devices')
const byType = (type: string): string =>
  asString(devices.find((device) => device['deviceType'] === type)?.['deviceUuid'])
const meter = byType('electricityMeter')
const bedroom = asString((await client.list('/spaces?metricType=temperature'))[0]?.['spaceUuid'])

// Closed ranges: their data does not change during the test.
const today = Temporal.Now.plainDateISO('UTC')
const range = `fromDateTime=${today.subtract({ days: 9 }).toString()}&toDateTime=${today.subtract({ days: 3 }).toString()}`
const series: Record<string, string> = {
  hourly: `/spaces/${bedroom}/aggregate/temperature/hourly?${range}`,
  daily: `/spaces/${bedroom}/aggregate/electricity/daily?${range}`,
  'of a device': `/devices/${meter}/consumption/electricity?${range}`,
}
const raw = `/devices/${meter}/consumption/electricity?interval=raw&${range}`

// Devices without a simulator: those of the demo can report at any moment.
const house = makeSmallSite()
for (let index = 0; index < 150; index++) {
  const fields = { deviceName: `Plug "${index}", left`, metrics: { electricity: { kind: 'register' } } }
  house.document.devices.push(device(randomUUID(), 'smartPlug', house.studio, fields))
}
await applyInventory(demo, house.document)
const owner = await addClient(demo, [house.siteUuid])

const gets: [name: string, caller: V2Client, path: string][] = [
  ...Object.entries(series).map(([name, path]): [string, V2Client, string] => [name, client, path]),
  ['raw readings', client, raw],
  ['spaces', client, '/spaces'],
  ['sites', client, '/sites'],
  ['metric types', client, '/metric-types'],
  ['devices', owner, '/devices'],
  ['a device', owner, `/devices/${house.trv}`],
  ['an overview', owner, `/spaces/${house.bedroom}/overview`],
]
const lists: Record<string, string> = { '/spaces': 'spaceUuid', '/devices': 'deviceUuid' }

const fetchWith =
  (caller: V2Client) =>
  (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<BytesAnswer> =>
    sendForBytes(caller, path, { method, headers })
const encoding = (accept: string): Record<string, string> => ({ 'accept-encoding': accept })

for (const [name, caller, path] of gets) {
  describe(`caching: ${name}`, () => {
    const get = fetchWith(caller)

    test(`${name}: a strong ETag, Vary, and a Cache-Control that delays no correction`, async () => {
      const { headers } = await get(path)
      assert.match(asString(headers.etag), /^"[\x21\x23-\x7e]+"$/)
      assert.equal(headers['cache-control'], 'private, no-cache')
      const vary = asString(headers.vary)
        .split(/, */)
        .map((field) => field.toLowerCase())
      assert.deepEqual(vary.toSorted(), ['accept', 'accept-encoding', 'authorization', 'siteid'])
    })

    test(`${name}: If-None-Match with the ETag is a 304 without a body, for GET and HEAD`, async () => {
      const etag = asString((await get(path)).headers.etag)
      for (const method of ['GET', 'HEAD']) {
        for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
          const answer = await get(path, { 'if-none-match': tag }, method)
          assert.equal(answer.status, 304, `${method} ${tag}`)
          assert.equal(answer.bytes.length, 0)
          assert.equal(answer.headers.etag, etag)
          assert.equal(answer.headers['cache-control'], 'private, no-cache')
          assert.ok(answer.headers.vary)
          assert.ok(answer.headers['x-request-id'])
        }
        const other = await get(path, { 'if-none-match': '"other", "still-another"' }, method)
        assert.equal(other.status, 200)
      }
    })

    test(`${name}: HEAD has the headers of GET and no body`, async () => {
      const [got, head] = [await get(path), await get(path, {}, 'HEAD')]
      assert.equal(head.status, 200)
      assert.equal(head.bytes.length, 0)
      for (const field of ['etag', 'content-type', 'cache-control', 'vary', 'link', 'api-version']) {
        assert.equal(head.headers[field], got.headers[field], field)
      }
    })

    test(`${name}: gzip and br decode to the plain bytes, each with its own ETag`, async () => {
      const plain = await get(path)
      assert.equal(plain.headers['content-encoding'], undefined)
      const gzip = await get(path, encoding('gzip'))
      const br = await get(path, encoding('br'))
      if (plain.bytes.length > 20_000) {
        assert.equal(gzip.headers['content-encoding'], 'gzip')
        assert.equal(br.headers['content-encoding'], 'br')
        assert.ok(br.bytes.length < plain.bytes.length && gzip.bytes.length < plain.bytes.length)
      }
      const tags = new Set([plain.headers.etag])
      for (const answer of [gzip, br]) {
        assert.deepEqual(decoded(answer), plain.bytes)
        if (answer.headers['content-encoding'] === undefined) continue
        tags.add(answer.headers.etag)
        const etag = asString(answer.headers.etag)
        const coding = encoding(asString(answer.headers['content-encoding']))
        assert.equal((await get(path, { ...coding, 'if-none-match': etag })).status, 304)
        assert.equal((await get(path, { ...encoding('identity'), 'if-none-match': etag })).status, 200)
      }
      const codings = [plain, gzip, br].map((answer) => answer.headers['content-encoding'])
      assert.equal(tags.size, new Set(codings).size)
    })
  })
}

describe('Accept-Encoding determines the content coding', () => {
  const get = fetchWith(owner)
  const rows: [accept: string, coding: string | undefined][] = [
    ['', undefined],
    ['identity', undefined],
    ['gzip;q=0', undefined],
    ['gzip;q=0, br;q=0', undefined],
    ['gzip;q=0, br', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.1, gzip;q=0.9', 'gzip'],
    ['br;q=0.9, gzip;q=0.1', 'br'],
    ['GZIP', 'gzip'],
    ['identity;q=0, gzip', 'gzip'],
    ['identity;q=0, br;q=0.001', 'br'],
    ['*;q=0, gzip', 'gzip'],
    ['gzip ; q=1.0', 'gzip'],
  ]
  for (const [accept, coding] of rows) {
    test(`Accept-Encoding: ${accept} gets ${coding ?? 'no coding'}`, async () => {
      const answer = await get('/devices', encoding(accept))
      assert.equal(answer.status, 200)
      assert.equal(answer.headers['content-encoding'], coding)
    })
  }

  test('identity;q=0 is honoured, however short the body is', async () => {
    for (const [name, caller, path] of gets) {
      const answer = await fetchWith(caller)(path, encoding('identity;q=0, gzip'))
      assert.equal(answer.headers['content-encoding'], 'gzip', name)
    }
  })

  test('a caller that rejects every coding gets 406', async () => {
    for (const accept of ['identity;q=0, gzip;q=0, br;q=0', 'identity;q=0, *;q=0', '*;q=0']) {
      assertProblem(portico, await client.send('/devices', { headers: encoding(accept) }), 406)
    }
  })
})

describe('Accept determines the media type', () => {
  const get = fetchWith(client)
  const rows: [accept: string, type: RegExp][] = [
    ['*/*', /^application\/json\b/],
    ['application/*', /^application\/json\b/],
    ['application/json', /^application\/json\b/],
    ['text/csv', /^text\/csv\b/],
    ['text/*', /^text\/csv\b/],
    ['text/csv;q=0.5, application/json', /^application\/json\b/],
    ['application/json;q=0.5, text/csv', /^text\/csv\b/],
    ['application/xml, text/csv;q=0.1', /^text\/csv\b/],
    ['application/xml, */*;q=0.1', /^application\/json\b/],
  ]
  for (const [accept, type] of rows) {
    test(`Accept: ${accept} gets ${type.source}`, async () => {
      for (const path of [...Object.values(series), ...Object.keys(lists)]) {
        const answer = await get(path, { accept })
        assert.equal(answer.status, 200, answer.bytes.toString())
        assert.match(asString(answer.headers['content-type']), type)
      }
    })
  }

  for (const [name, caller, path] of gets) {
    test(`${name}: Accept: application/xml is 406`, async () => {
      for (const accept of ['application/xml', 'image/*', 'application/json;q=0, text/csv;q=0']) {
        assertProblem(portico, await caller.send(path, { headers: { accept } }), 406)
      }
    })
  }

  test('JSON and CSV have different ETags', async () => {
    const path = series['hourly'] ?? ''
    const [json, csv] = [await get(path), await get(path, { accept: 'text/csv' })]
    assert.notEqual(json.headers.etag, csv.headers.etag)
  })
})

describe('text/csv', () => {
  for (const [name, path] of Object.entries({ ...series, 'raw readings': raw })) {
    test(`a series ${name} has the values of the JSON body`, async () => {
      const { text } = await fetchCsv(client, path)
      const names = ['timestamp', 'value', 'min', 'max', 'quality', 'coverage']
      if (path !== raw) assert.deepEqual(csvHeader(text), names)
      const expected = asPoints(await client.get(path))
      assert.ok(expected.length > 0)
      const rows = parseCsv(text)
      assert.equal(rows.length, expected.length)
      for (const [index, point] of expected.entries()) {
        for (const [field, value] of Object.entries(point)) {
          if (field in (rows[index] ?? {})) assertCell(rows[index]?.[field], value)
        }
      }
    })
  }

  for (const [path, id] of Object.entries({
    ...lists,
    '/sites': 'siteUuid',
    '/metric-types': 'metricType',
  })) {
    test(`${path} has a line for each record, with its values`, async () => {
      const records = await owner.list(path)
      const { text } = await fetchCsv(owner, path)
      assert.ok(csvHeader(text).includes(id))
      const rows = parseCsv(text)
      assert.equal(rows.length, records.length)
      for (const [index, record] of records.entries()) {
        for (const [name, value] of Object.entries(record)) {
          if (typeof value !== 'object' || value === null) assertCell(rows[index]?.[name], value)
        }
      }
    })

    if (!(path in lists)) continue
    test(`${path} uses the cursors of the JSON body`, async () => {
      const records = await owner.list(path)
      const first = await fetchCsv(owner, `${path}?limit=2`)
      assert.equal(parseCsv(first.text).length, 2)
      const cursor = /[?&]cursor=([^&>]+)/.exec(first.headers.get('link') ?? '')?.[1]
      const next = await fetchCsv(owner, `${path}?limit=2&cursor=${String(cursor)}`)
      const shown = parseCsv(next.text).map((row) => row[id])
      assert.deepEqual(
        shown,
        records.slice(2, 4).map((record) => record[id]),
      )
    })
  }
})

function asPoints(body: JsonObject): JsonObject[] {
  return body['interval'] === 'raw'
    ? (body['timeSeries'] as JsonObject[])
    : readSeries(body).points.map(({ json }) => json)
}

async function fetchCsv(caller: V2Client, path: string): Promise<Answer> {
  const answer = await caller.send(path, { headers: { accept: 'text/csv' } })
  assert.equal(answer.status, 200, answer.text)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/csv\b/)
  return answer
}
