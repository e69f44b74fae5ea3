import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { type BytesAnswer, decoded, sendForBytes } from '../support/clients/http-bytes.ts'
import { api } from '../support/clients/requests.ts'
import type { V2Client } from '../support/clients/v2-client.ts'
import { asArray, asObject, asString, type JsonObject, parseJson } from '../support/json.ts'
import { queryParquet } from '../support/oracles/parquet.ts'
import { assertProblem } from '../support/oracles/problem.ts'
import { addClient, type Demo } from '../support/servers/installation.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const DAY_MS = 86_400_000
const startedAt = Date.now()
const day = (ago: number): string => new Date(startedAt - ago * DAY_MS).toISOString().slice(0, 10)
const RANGE = `fromDateTime=${day(3)}&toDateTime=${day(1)}`

let demo: Demo
/** A separate partner, because concurrent exports are counted by partner. */
let client: V2Client

before(async () => {
  demo = await shareDemo()
  client = await addClient(demo, [demo.client.siteId])
})

async function download(path: string, headers: Record<string, string> = {}): Promise<BytesAnswer> {
  const answer = await sendForBytes(client, path, { headers })
  assert.equal(answer.status, 200, `${path}: ${answer.bytes.toString()}`)
  return answer
}

const downloadText = async (path: string): Promise<string> => (await download(path)).bytes.toString()

/** The rows of an export as NDJSON, whose final record must be right. */
async function downloadRows(path: string): Promise<JsonObject[]> {
  const text = await downloadText(path)
  assert.ok(text.endsWith('}\n'))
  const records = text
    .trimEnd()
    .split('\n')
    .map((line) => asObject(parseJson(line)))
  assert.deepEqual(records.pop(), { end: true, records: records.length })
  return records
}

const parseCsv = (text: string): string[][] => {
  const lines = text.split('\r\n')
  assert.equal(lines.pop(), '', 'the last line is complete')
  return lines.map((line) => line.split(','))
}

const isSorted = (keys: readonly string[]): boolean =>
  keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') < key)

describe('an export of readings', () => {
  test('has the same rows as NDJSON, CSV and Parquet', async () => {
    const path = `/export/readings?${RANGE}`
    const rows = await downloadRows(path)
    assert.ok(rows.length > 10_000)
    assert.deepEqual(
      [...new Set(rows.map((row) => Object.keys(row).join()))],
      ['deviceUuid,metricType,timestamp,value'],
    )
    const [header, ...lines] = parseCsv(await downloadText(`${path}&format=csv`))
    assert.deepEqual(header, ['deviceUuid', 'metricType', 'timestamp', 'value'])
    assert.deepEqual(
      lines,
      rows.map(({ deviceUuid, metricType, timestamp, value }) => [
        deviceUuid,
        metricType,
        timestamp,
        String(value),
      ]),
    )
    const { bytes, headers } = await download(`${path}&format=parquet`)
    assert.equal(headers['content-type'], 'application/vnd.apache.parquet')
    const found = await queryParquet(
      bytes,
      'SELECT deviceUuid, metricType, epoch_ms(timestamp)::DOUBLE, value FROM file',
    )
    assert.deepEqual(
      found,
      rows.map(({ deviceUuid, metricType, timestamp, value }) => [
        deviceUuid,
        metricType,
        Date.parse(asString(timestamp)),
        value,
      ]),
    )
  })

  test('has typed columns and metadata in Parquet', async () => {
    const { bytes } = await download(`/export/readings?${RANGE}&format=parquet&metricTypes=temperature`)
    assert.deepEqual(
      await queryParquet(bytes, 'SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM file)'),
      [
        ['deviceUuid', 'VARCHAR'],
        ['metricType', 'VARCHAR'],
        ['timestamp', 'TIMESTAMP WITH TIME ZONE'],
        ['value', 'DOUBLE'],
      ],
    )
    const metadata = Object.fromEntries(
      await queryParquet(bytes, "SELECT decode(key), decode(value) FROM parquet_kv_metadata('$path')"),
    ) as Record<string, string>
    assert.equal(metadata['portico.site'], client.siteId)
    assert.equal(metadata['portico.timeZone'], 'Europe/London')
    assert.match(metadata['portico.fromDateTime'] ?? '', new RegExp(`^${day(3)}T00:00:00`))
    assert.match(metadata['portico.toDateTime'] ?? '', new RegExp(`^${day(1)}T00:00:00`))
    assert.deepEqual(parseJson(metadata['portico.units'] ?? ''), { temperature: 'degC' })
    assert.match(metadata['portico.version'] ?? '', /^\d+\.\d+\.\d+/)
  })

  test('is ordered by local day, device, metric and time, and has every reading of a device', async () => {
    const rows = await downloadRows(`/export/readings?${RANGE}&metricTypes=temperature,humidity`)
    const toDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' })
    assert.ok(
      isSorted(
        rows.map(
          ({ deviceUuid, metricType, timestamp }) =>
            `${toDay.format(new Date(asString(timestamp)))} ${asString(deviceUuid)} ${asString(metricType)} ${asString(timestamp)}`,
        ),
      ),
    )
    const deviceUuid = asString(rows[0]?.['deviceUuid'])
    const raw = await client.get(
      `/devices/${deviceUuid}/consumption/temperature?interval=raw&limit=1000&${RANGE}`,
    )
    const single = asArray(raw['timeSeries']).map(asObject)
    const own = rows.filter((row) => row['deviceUuid'] === deviceUuid && row['metricType'] === 'temperature')
    assert.deepEqual(
      own.map(({ timestamp, value }) => [Date.parse(asString(timestamp)), value]),
      single.map(({ timestamp, value }) => [Date.parse(asString(timestamp)), value]),
    )
    const named = await downloadRows(
      `/export/readings?${RANGE}&deviceUuids=${deviceUuid}&metricTypes=temperature`,
    )
    assert.deepEqual(named, own)
  })

  test('may be empty', async () => {
    const path = '/export/readings?fromDateTime=2001-01-01&toDateTime=2001-01-03'
    assert.equal(await downloadText(path), '{"end":true,"records":0}\n')
    assert.equal(await downloadText(`${path}&format=csv`), 'deviceUuid,metricType,timestamp,value\r\n')
    const { bytes } = await download(`${path}&format=parquet`)
    assert.deepEqual(await queryParquet(bytes, 'SELECT count(*)::INTEGER FROM file'), [[0]])
  })

  test('is compressed if the client accepts it, except Parquet', async () => {
    const path = `/export/readings?fromDateTime=${day(2)}&toDateTime=${day(1)}`
    const plain = await download(path)
    for (const coding of ['gzip', 'br']) {
      const answer = await download(path, { 'accept-encoding': coding })
      assert.equal(answer.headers['content-encoding'], coding)
      assert.ok(decoded(answer).equals(plain.bytes))
    }
    const parquet = await download(`${path}&format=parquet`, { 'accept-encoding': 'gzip' })
    assert.equal(parquet.headers['content-encoding'], undefined)
  })

  test('is sent in chunks, is not cached, and has no ETag', async () => {
    const { headers } = await download(`/export/readings?${RANGE}&metricTypes=co2`, { 'if-none-match': '*' })
    assert.equal(headers['transfer-encoding'], 'chunked')
    assert.equal(headers['cache-control'], 'private, no-store')
    assert.equal(headers.etag, undefined)
    const head = await sendForBytes(client, `/export/readings?${RANGE}`, { method: 'HEAD' })
    assert.deepEqual([head.status, head.bytes.length], [200, 0])
  })

  test('is the same for the operator', async () => {
    const own = await downloadText(`/export/readings?${RANGE}&metricTypes=co2`)
    const path = `/operator/export/readings?siteUuid=${client.siteId}&${RANGE}&metricTypes=co2`
    const answer = await api(demo.portico, path, { token: demo.operator })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.text, own)
  })
})

describe('an export of windows', () => {
  const toCells = (row: JsonObject): string[] =>
    Object.values(row).map((value) =>
      value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value),
    )

  test('has the same rows as NDJSON, CSV and Parquet', async () => {
    const path = `/export/windows?${RANGE}&interval=PT30M&metricTypes=electricity,temperature`
    const rows = await downloadRows(path)
    assert.ok(rows.length > 1_000)
    const [header, ...lines] = parseCsv(await downloadText(`${path}&format=csv`))
    assert.deepEqual(header, Object.keys(rows[0] ?? {}))
    assert.deepEqual(lines, rows.map(toCells))
    const { bytes } = await download(`${path}&format=parquet`)
    const found = await queryParquet(
      bytes,
      'SELECT spaceUuid, metricType, epoch_ms(timestamp)::DOUBLE, value, min, max, quality, coverage FROM file',
    )
    assert.deepEqual(
      found,
      rows.map(({ timestamp, ...row }) => {
        const [spaceUuid, metricType, ...rest] = Object.values(row)
        return [spaceUuid, metricType, Date.parse(asString(timestamp)), ...rest]
      }),
    )
  })

  for (const [interval, groupBy, metrics] of [
    ['PT15M', 'space', 'pressure,water'],
    ['PT1H', 'cluster', 'electricity,co2'],
    ['PT1H', 'building', 'carbon,temperature'],
    ['P1D', 'site', 'electricity,carbon'],
    ['P1D', 'space', 'performance,electricity'],
  ] as const)
    test(`has the values of batch reads: ${interval} by ${groupBy}`, async () => {
      const granularity = interval.startsWith('PT') ? 'hourly' : 'daily'
      const query = `${RANGE}&interval=${interval}&groupBy=${groupBy}&metricTypes=${metrics}`
      const rows = await downloadRows(`/export/windows?${query}`)
      const batch = await client.get(`/aggregate/${granularity}?${query}`)
      const times = asArray(batch['timestamps'])
      const expected = asArray(batch['series'])
        .map(asObject)
        .flatMap((series) =>
          times.map((timestamp, index) => {
            const pick = (name: string): unknown => asArray(series[name] ?? [])[index] ?? null
            return {
              [`${groupBy}Uuid`]: series[`${groupBy}Uuid`],
              metricType: series['metricType'],
              timestamp,
              value: pick('values'),
              min: pick('min'),
              max: pick('max'),
              quality: pick('quality'),
              coverage: pick('coverage'),
            }
          }),
        )
      const toKey = (row: JsonObject): string =>
        `${asString(row['timestamp']).slice(0, 10)} ${asString(row[`${groupBy}Uuid`])} ${asString(row['metricType'])} ${Date.parse(asString(row['timestamp']))}`
      assert.ok(rows.length > 0)
      assert.deepEqual(
        rows,
        expected.toSorted((a, b) => (toKey(a as JsonObject) < toKey(b as JsonObject) ? -1 : 1)),
      )
    })

  test('has each window once in consecutive ranges', async () => {
    const read = (from: number, to: number): Promise<JsonObject[]> =>
      downloadRows(
        `/export/windows?interval=P1W&groupBy=site&metricTypes=electricity&fromDateTime=${day(from)}&toDateTime=${day(to)}`,
      )
    const parts = [...(await read(60, 41)), ...(await read(41, 20))]
    assert.deepEqual(parts, await read(60, 20))
    assert.ok(parts.length >= 5)
  })

  test('is the same for the operator', async () => {
    const query = `${RANGE}&groupBy=building&metricTypes=electricity`
    const own = await downloadText(`/export/windows?${query}`)
    const path = `/operator/export/windows?siteUuid=${client.siteId}&${query}`
    assert.equal((await api(demo.portico, path, { token: demo.operator })).text, own)
  })
})

describe('400', () => {
  const refused = async (path: string, field: string): Promise<void> => {
    const answer = await client.send(path)
    const { errors } = assertProblem(demo.portico, answer, 400)
    assert.equal(asObject(asArray(errors)[0] ?? {})['field'], field, answer.text)
  }

  test('names the parameter that is wrong', async () => {
    await refused('/export/readings', 'fromDateTime')
    await refused(`/export/readings?fromDateTime=${day(2)}`, 'toDateTime')
    await refused(`/export/readings?${RANGE}&format=xlsx`, 'format')
    await refused(`/export/readings?${RANGE}&metricTypes=carbon`, 'metricTypes[0]')
    await refused(`/export/readings?${RANGE}&deviceUuids=x`, 'deviceUuids[0]')
    await refused(`/export/readings?${RANGE}&interval=PT1H`, 'interval')
    await refused(`/export/readings?fromDateTime=${day(1)}&toDateTime=${day(1)}`, 'fromDateTime')
    await refused(`/export/readings?fromDateTime=${day(-1)}&toDateTime=${day(-2)}`, 'fromDateTime')
    await refused('/export/readings?fromDateTime=2024-01-01&toDateTime=2025-01-02', 'toDateTime')
    await refused(`/export/windows?${RANGE}&interval=PT5M`, 'interval')
    await refused(`/export/windows?${RANGE}&groupBy=floor`, 'groupBy')
    await refused(`/export/windows?${RANGE}&metricTypes=performance`, 'interval')
    await refused(`/export/windows?${RANGE}&interval=P1D&groupBy=site&metricTypes=performance`, 'groupBy')
  })

  test('allows 366 days', async () => {
    const path = '/export/readings?fromDateTime=2020-01-01&toDateTime=2021-01-01&metricTypes=co2'
    assert.equal(await downloadText(path), '{"end":true,"records":0}\n')
  })
})

test('whatever the parameters are, the response is an export or an error of the client', async () => {
  const text = fc.oneof(
    fc.constantFrom(
      '',
      ',',
      '%00',
      '-0',
      'null',
      '__proto__',
      "' OR 1=1",
      '2026-11-14',
      'PT1H',
      'P1M',
      'csv',
      'parquet',
    ),
    fc.constantFrom('electricity', 'battery', 'performance', 'carbon,co2', 'space', 'site', randomUUID()),
    fc.constantFrom('0000-01-01', '9999-12-31T23:59:59Z', '+275760-09-13', `${day(1)}T00:00:00.001+14:00`),
    fc.string({ unit: 'binary', maxLength: 20 }),
  )
  const name = fc.constantFrom(
    'fromDateTime',
    'toDateTime',
    'metricTypes',
    'deviceUuids',
    'spaceUuids',
    'interval',
    'groupBy',
    'buildingUuid',
    'clusterUuid',
    'spaceType',
    'format',
    'limit',
    '__proto__',
  )
  const parameters = fc.array(fc.tuple(name, text), { maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('readings', 'windows'), parameters, async (kind, more) => {
      const range: [string, string][] = [
        ['fromDateTime', `${day(2)}T00:00:00`],
        ['toDateTime', `${day(2)}T02:00:00`],
      ]
      const given = range.filter(([key]) => more.every(([other]) => other !== key))
      const query = [...given, ...more].map((pair) => pair.map(encodeWellFormed).join('=')).join('&')
      const { status } = await sendForBytes(client, `/export/${kind}?${query}`)
      assert.ok([200, 400, 404].includes(status), `${status} for ${query}`)
    }),
    { numRuns: 150 },
  )
})

/** Lone surrogates have no encoding. */
const encodeWellFormed = (part: string): string => encodeURIComponent(part.toWellFormed())

test('404 for identifiers of another site, and 403 without the role', async () => {
  const foreign = await client.send(`/export/readings?${RANGE}&deviceUuids=${randomUUID()}`)
  const { errors } = assertProblem(demo.portico, foreign, 404)
  assert.deepEqual(
    asArray(errors).map((error) => [asObject(error)['field'], asObject(error)['code']]),
    [['deviceUuids[0]', 'not-found']],
  )
  assertProblem(demo.portico, await client.send(`/export/windows?${RANGE}&spaceUuids=${randomUUID()}`), 404)
  const unknown = `/operator/export/readings?siteUuid=${randomUUID()}&${RANGE}`
  assertProblem(demo.portico, await api(demo.portico, unknown, { token: demo.operator }), 404)
  const spaces = await addClient(demo, [demo.client.siteId], ['Spaces.Read'])
  assertProblem(demo.portico, await spaces.send(`/export/readings?${RANGE}`), 403)
  const devices = await addClient(demo, [demo.client.siteId], ['Devices.Read'])
  assertProblem(demo.portico, await devices.send(`/export/windows?${RANGE}`), 403)
})
