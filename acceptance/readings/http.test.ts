import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { device, makeSmallSite } from '../support/fixtures/small-site.ts'
import {
  addClient,
  applyInventory,
  type Installation,
  startInstallation,
} from '../support/servers/installation.ts'
import { asArray, asObject, type JsonObject } from '../support/json.ts'
import { startPortico } from '../support/servers/portico.ts'
import { api } from '../support/clients/requests.ts'
import { type V2Client, v2Client } from '../support/clients/v2-client.ts'

const house = makeSmallSite()
const plug = randomUUID()
house.document.devices.push(
  device(plug, 'smartPlug', house.studio, { metrics: { electricity: { kind: 'delta', stepMinutes: 30 } } }),
)

let installation: Installation
let client: V2Client

before(async () => {
  installation = await startInstallation()
  await applyInventory(installation, house.document)
  client = await addClient(installation, [house.siteUuid])
})
after(() => installation.stop())

const reading = (
  deviceUuid: string,
  timestamp: string,
  value: unknown,
  metricType = 'electricity',
): JsonObject => ({
  deviceUuid,
  metricType,
  timestamp,
  value,
})

async function send(type: string, body: string): Promise<JsonObject> {
  const { portico, operator } = installation
  const answer = await api(portico, '/operator/readings', {
    method: 'POST',
    token: operator,
    body,
    headers: { 'content-type': type },
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.json
}

const ndjson = (records: unknown[]): string => records.map((record) => JSON.stringify(record)).join('\n')
const counts = ({ accepted, replaced, unchanged, refusedCount }: JsonObject) => [
  accepted,
  replaced,
  unchanged,
  refusedCount,
]
const codes = (report: JsonObject): unknown[] =>
  asArray(report['refused']).map((one) => asObject(one)['code'])

async function hourly(deviceUuid: string, date: string): Promise<unknown[]> {
  const next = Temporal.PlainDate.from(date).add({ days: 1 }).toString()
  const path = `/devices/${deviceUuid}/consumption/electricity?fromDateTime=${date}&toDateTime=${next}`
  return asArray((await client.get(path))['timeSeries']).map((point) => asObject(point)['value'])
}

describe('POST /operator/readings', () => {
  const lines = [
    reading(house.meter, '2026-01-05T00:00:00Z', 100),
    reading(house.meter, '2026-01-05T02:00:00Z', 104),
    reading(house.meter, '2026-01-05T03:00:00+01:00', 104.5),
  ]

  test('stores NDJSON, and the stored readings are those sent', async () => {
    const records = [lines[0], lines[1], reading(house.meter, '2026-01-05T03:00:00Z', 110)]
    assert.deepEqual(counts(await send('application/x-ndjson', ndjson(records))), [3, 0, 0, 0])
    assert.deepEqual((await hourly(house.meter, '2026-01-05')).slice(0, 4), [2, 2, 6, null])
  })

  test('reports what is unchanged and replaced; a correction is visible in the next read', async () => {
    const again = [lines[0], reading(house.meter, '2026-01-05T03:00:00Z', 111)]
    assert.deepEqual(counts(await send('application/json', JSON.stringify(again))), [0, 1, 1, 0])
    assert.deepEqual((await hourly(house.meter, '2026-01-05')).slice(0, 3), [2, 2, 7])
  })

  test('compares each of several values for one instant with the previous one', async () => {
    const at = '2026-01-06T00:00:00Z'
    await send('application/x-ndjson', ndjson([reading(house.meter, at, 5)]))
    const report = await send(
      'application/x-ndjson',
      ndjson([5, 7, 7, 6].map((value) => reading(house.meter, at, value))),
    )
    assert.deepEqual(counts(report), [0, 2, 2, 0])
    const next = await send('application/x-ndjson', ndjson([reading(house.meter, at, 6)]))
    assert.deepEqual(counts(next), [0, 0, 1, 0])
  })

  test('a late reading between two others changes both windows that it affects', async () => {
    await send('application/x-ndjson', ndjson([reading(house.meter, '2026-01-05T01:00:00Z', 101)]))
    assert.deepEqual((await hourly(house.meter, '2026-01-05')).slice(0, 2), [1, 3])
  })

  test('accepts CSV with its columns in any order', async () => {
    const body = `value,timestamp,metricType,deviceUuid\r\n5,2026-02-01T00:00:00Z,electricity,${house.meter}\r\n`
    assert.deepEqual(counts(await send('text/csv', body)), [1, 0, 0, 0])
  })

  test('rejects each invalid record by line and code, and stores the others', async () => {
    const far = new Date(Date.now() + 25 * 3_600_000).toISOString()
    const at = '2026-03-01T00:00:00Z'
    const body = [
      JSON.stringify(reading(house.meter, at, 1)),
      'not json',
      JSON.stringify(reading(randomUUID(), at, 1)),
      JSON.stringify(reading(house.meter, at, 1, 'gas')),
      JSON.stringify(reading(house.meter, '2026-02-30T00:00:00Z', 1)),
      JSON.stringify(reading(house.meter, far, 1)),
      JSON.stringify(reading(house.meter, at, '1')),
      JSON.stringify(reading(house.meter, at, 2e12)),
      JSON.stringify(reading(house.meter, at, -1)),
      JSON.stringify({ ...reading(house.meter, at, 1), extra: true }),
      '[]',
      'x'.repeat(70_000),
      JSON.stringify(reading(house.meter, '2026-03-01T01:00:00Z', 2)),
    ].join('\n')
    const report = await send('application/x-ndjson', body)
    assert.deepEqual(counts(report), [2, 0, 0, 11])
    assert.deepEqual(codes(report), [
      'malformed',
      'unknown-device',
      'metric-not-declared',
      'bad-timestamp',
      'in-the-future',
      'not-a-number',
      'out-of-range',
      'negative-register',
      'unknown-field',
      'malformed',
      'too-long',
    ])
    assert.deepEqual(
      asArray(report['refused']).map((one) => asObject(one)['line']),
      [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    )
  })

  test('the last of several readings for one instant wins', async () => {
    const at = '2026-04-01T00:00:00Z'
    const report = await send(
      'application/x-ndjson',
      ndjson([1, 2, 3].map((value) => reading(house.secondMeter, at, value))),
    )
    assert.deepEqual(counts(report), [1, 2, 0, 0])
  })

  test('accepts the half-hourly format of the UK, with 46, 48 or 50 half hours a day', async () => {
    const header = `deviceUuid,metricType,date,${Array.from({ length: 50 }, (_, index) => `hh${String(index + 1).padStart(2, '0')}`).join()}`
    const row = (date: string, slots: number): string =>
      `${plug},electricity,${date},${Array.from({ length: 50 }, (_, index) => (index < slots ? '0.5' : '')).join()}`
    const days: [string, number][] = [
      ['2026-01-10', 48],
      ['2026-03-29', 46],
      ['2026-10-25', 50],
    ]
    const report = await send(
      'text/csv',
      [header, ...days.map(([date, slots]) => row(date, slots)), row('2026-01-11', 46)].join('\n'),
    )
    assert.deepEqual(counts(report), [144, 0, 0, 1])
    assert.deepEqual(codes(report), ['wrong-slots'])
    for (const [date, slots] of days) {
      const values = await hourly(plug, date)
      assert.equal(values.length, slots / 2)
      assert.ok(values.every((value) => value === 1))
    }
  })

  test('a stream longer than any body limit is processed as it arrives', async () => {
    const start = Date.UTC(2025, 0, 1)
    const count = 60_000
    const source = Readable.from(
      (function* () {
        for (let index = 0; index < count; index += 1) {
          const at = new Date(start + index * 60_000).toISOString()
          yield Buffer.from(`${JSON.stringify(reading(house.secondMeter, at, index))}\n`)
        }
      })(),
    )
    const { portico, operator } = installation
    const response = await fetch(`${portico.origin}/operator/readings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operator}`, 'content-type': 'application/x-ndjson' },
      body: Readable.toWeb(source) as ReadableStream,
      duplex: 'half',
    })
    assert.deepEqual(counts((await response.json()) as JsonObject), [count, 0, 0, 0])
  })

  test('an invalid delivery is a 4xx problem', async () => {
    const { portico, operator } = installation
    const post = async (type: string, body: string): Promise<number> =>
      (
        await api(portico, '/operator/readings', {
          method: 'POST',
          token: operator,
          body,
          headers: { 'content-type': type },
        })
      ).status
    assert.equal(await post('application/json', '{"a":1}'), 400)
    assert.equal(await post('text/csv', 'a,b\n1,2'), 400)
    assert.equal(await post('application/xml', '<a/>'), 415)
  })

  test('requires the role Operator', async () => {
    const answer = await api(installation.portico, '/operator/readings', {
      method: 'POST',
      token: client.token,
      body: '',
      headers: { 'content-type': 'application/x-ndjson' },
    })
    assert.equal(answer.status, 403)
  })

  test('acknowledged readings survive a kill', async () => {
    const { portico } = installation
    const report = await send(
      'application/x-ndjson',
      ndjson([reading(house.meter, '2026-05-01T00:00:00Z', 7)]),
    )
    assert.deepEqual(counts(report), [1, 0, 0, 0])
    await portico.kill()
    await using restarted = await startPortico({ demo: false, dataDir: portico.dataDir, port: portico.port })
    const path = `/devices/${house.meter}/consumption/electricity?interval=raw&fromDateTime=2026-05-01&toDateTime=2026-05-02`
    const answer = await v2Client(restarted, client.token, house.siteUuid).get(path)
    assert.deepEqual(
      asArray(answer['timeSeries']).map((one) => asObject(one)['value']),
      [7],
    )
  })
})
