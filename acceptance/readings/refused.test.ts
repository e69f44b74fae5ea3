import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { device, makeSmallSite } from '../support/fixtures/small-site.ts'
import { addClient, applyInventory, type Installation } from '../support/servers/installation.ts'
import { asArray, asObject, type JsonObject } from '../support/json.ts'
import { runPortico } from '../support/servers/portico.ts'
import { api } from '../support/clients/requests.ts'
import { getReadings } from '../support/clients/series.ts'
import type { V2Client } from '../support/clients/v2-client.ts'
import {
  type Format,
  importReadings,
  postReadings,
  readReport,
  type Report,
} from '../support/clients/ingest-channels.ts'
import { badCells, badLines, badLists, badRecords } from './support/bad-readings.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const house = makeSmallSite({ timeZone: 'UTC' })
let installation: Installation
let client: V2Client

before(async () => {
  installation = await shareDemo()
  await applyInventory(installation, house.document)
  client = await addClient(installation, [house.siteUuid])
})

/** A meter that no other test writes to, so that it holds exactly the accepted readings of one delivery. */
async function newMeter(): Promise<string> {
  const meter = randomUUID()
  const metrics = { electricity: { kind: 'register' } }
  house.document.devices.push(device(meter, 'electricityMeter', house.studio, { metrics }))
  await applyInventory(installation, house.document)
  return meter
}

const instant = (minute: number): string => new Date(Date.UTC(2026, 0, 5) + minute * 60_000).toISOString()
const toJson = (deviceUuid: string, minute: number): string =>
  JSON.stringify({ deviceUuid, metricType: 'electricity', timestamp: instant(minute), value: minute })
const toCsv = (deviceUuid: string, minute: number): string =>
  [deviceUuid, 'electricity', instant(minute), minute].join()
const header = 'deviceUuid,metricType,timestamp,value'

const refusals = (report: JsonObject): unknown[] =>
  asArray(report['refused']).map((one) => [asObject(one)['line'], asObject(one)['code']])

/** Asserts that the readings of these minutes are stored, and no others. */
async function assertStored(meter: string, minutes: number[]): Promise<void> {
  const range = { fromDateTime: '2026-01-05', toDateTime: '2026-01-06' }
  const stored = await getReadings(client, meter, 'electricity', range)
  assert.deepEqual(
    stored.map(({ value }) => value),
    minutes,
  )
}

const ways: Record<string, (format: Format, text: string) => Promise<JsonObject>> = {
  'POST /operator/readings': (format, text) => postReadings(installation, format, text),
  'portico readings import': (format, text) =>
    importReadings({ dataDir: installation.portico.dataDir }, format, text),
}

const counts = (report: JsonObject): Report => readReport(report)
const accepted = (count: number, refusedCount = 0): Report => ({
  accepted: count,
  replaced: 0,
  unchanged: 0,
  refusedCount,
})

for (const [name, deliver] of Object.entries(ways)) {
  // Commands are slow to start: the command line is tested with two of the broken files.
  const some = <T>(cases: T[]): T[] => (name.startsWith('POST') ? cases : cases.slice(0, 2))

  describe(name, () => {
    for (const format of ['ndjson', 'json'] as const) {
      test(`rejects each invalid record of ${format} by position and code, and stores the others`, async () => {
        const meter = await newMeter()
        const bad = badRecords(meter)
        // Valid records at the odd positions and at the end.
        const records = bad.flatMap(({ text }, index) => [toJson(meter, index), text])
        records.push(toJson(meter, bad.length))
        const text = format === 'json' ? `[${records.join(',\n')}]` : records.join('\n')
        const report = await deliver(format, text)
        assert.deepEqual(
          refusals(report),
          bad.map(({ code }, index) => [2 * index + 2, code]),
        )
        assert.deepEqual(counts(report), accepted(bad.length + 1, bad.length))
        await assertStored(
          meter,
          Array.from({ length: bad.length + 1 }, (_, index) => index),
        )
      })
    }

    test('rejects a field that is a list, even of valid text, and nothing else', async () => {
      const meter = await newMeter()
      const bad = badLists(meter)
      const records = [...bad.map(({ text }) => text), toJson(meter, 0)]
      const report = await deliver('ndjson', records.join('\n'))
      assert.deepEqual(
        refusals(report),
        bad.map(({ code }, index) => [index + 1, code]),
      )
      await assertStored(meter, [0])
    })

    test('rejects each invalid line of CSV by number and code, and stores the others', async () => {
      const meter = await newMeter()
      const bad = [
        ...badCells.map(([value, code]) => ({
          text: [meter, 'electricity', instant(500), value].join(),
          code,
        })),
        ...badLines(meter),
      ]
      const lines = bad.flatMap(({ text }, index) => [toCsv(meter, index), text])
      const report = await deliver('csv', [header, ...lines, toCsv(meter, bad.length)].join('\n'))
      assert.deepEqual(
        refusals(report),
        bad.map(({ code }, index) => [2 * index + 3, code]),
      )
      assert.deepEqual(counts(report), accepted(bad.length + 1, bad.length))
      await assertStored(
        meter,
        Array.from({ length: bad.length + 1 }, (_, index) => index),
      )
    })

    test('accepts a byte order mark and CRLF in every format', async () => {
      for (const format of ['ndjson', 'json', 'csv'] as const) {
        const meter = await newMeter()
        const records = [toJson(meter, 0), toJson(meter, 1)]
        const text = {
          ndjson: `${records.join('\r\n')}\r\n`,
          json: `[\r\n${records.join(',\r\n')}\r\n]\r\n`,
          csv: [header, toCsv(meter, 0), toCsv(meter, 1), ''].join('\r\n'),
        }
        assert.deepEqual(counts(await deliver(format, `\uFEFF${text[format]}`)), accepted(2), format)
        await assertStored(meter, [0, 1])
      }
    })

    test('counts empty lines without rejecting them', async () => {
      const meter = await newMeter()
      const lines = [toJson(meter, 0), '', '', toJson(meter, 1), 'x', '']
      assert.deepEqual(refusals(await deliver('ndjson', lines.join('\n'))), [[5, 'malformed']])
      const table = [header, toCsv(meter, 2), '', toCsv(meter, 3), 'x', '']
      assert.deepEqual(refusals(await deliver('csv', table.join('\n'))), [[5, 'malformed']])
      await assertStored(meter, [0, 1, 2, 3])
    })

    test('accepts input without readings', async () => {
      const nothing: [Format, string][] = [
        ['ndjson', ''],
        ['csv', header],
        ['csv', ''],
        ['json', '[]'],
        ['ndjson', '\n\n'],
      ]
      for (const [format, text] of some(nothing))
        assert.deepEqual(counts(await deliver(format, text)), accepted(0), JSON.stringify(text))
    })

    test('stores the records before the position where an array is truncated, and rejects that position', async () => {
      const whole = [0, 1, 2]
      for (const end of some(['', '{"deviceUuid":"x","value":1', '{', '{"deviceUuid":"', '[', '"', 'tru'])) {
        const meter = await newMeter()
        const report = await deliver(
          'json',
          `[${whole.map((minute) => `${toJson(meter, minute)},`).join('')}${end}`,
        )
        assert.deepEqual(refusals(report), [[4, 'malformed']], end)
        await assertStored(meter, whole)
      }
    })

    test('rejects content after an array, once', async () => {
      for (const rest of some([' x', ' [1, 2]', 'x', ']', '[]', '{}'])) {
        const meter = await newMeter()
        const report = await deliver('json', `[${toJson(meter, 0)}]${rest}`)
        assert.deepEqual(refusals(report), [[2, 'malformed']], rest)
        await assertStored(meter, [0])
      }
    })
  })
}

describe('an invalid delivery', () => {
  const wrong: [Format, string][] = [
    ['json', ''],
    ['json', '{}'],
    ['json', '"x"'],
    ['json', 'x[]'],
    ['csv', 'deviceUuid,metricType,timestamp,value,value\n'],
    ['csv', 'deviceUuid,deviceUuid,timestamp,value\n'],
    ['csv', 'deviceUuid,metricType,timestamp\n'],
    ['csv', 'deviceUuid,metricType,timestamp,value,note\n'],
  ]

  test('is a 400 problem over HTTP', async () => {
    const types = { json: 'application/json', csv: 'text/csv', ndjson: 'application/x-ndjson' }
    for (const [format, body] of wrong) {
      const answer = await api(installation.portico, '/operator/readings', {
        method: 'POST',
        token: installation.operator,
        body,
        headers: { 'content-type': types[format] },
      })
      assert.equal(answer.status, 400, `${body.slice(0, 80)}: ${answer.text}`)
    }
  })

  test('is exit code 1 and one line on the command line', async () => {
    for (const [format, stdin] of wrong.slice(3, 6)) {
      const args = ['readings', 'import', '-', '--format', format]
      const result = await runPortico(args, { dataDir: installation.portico.dataDir, stdin })
      assert.equal(result.code, 1, stdin.slice(0, 80))
      assert.equal(result.stderr.trimEnd().split('\n').length, 1, result.stderr)
    }
  })
})
