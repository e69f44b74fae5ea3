import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Windows } from '../../../../src/calendar/interval.ts'
import {
  type SeriesColumns,
  toPoints,
  toQualityIndex,
} from '../../../../src/domain/telemetry/series/columns.ts'
import { Digest } from '../../../../src/http/v2/series-encoding/digest.ts'
import { encodeColumns } from '../../../../src/http/v2/series-encoding/encoded-block.ts'
import { encodeSeries } from '../../../../src/http/v2/series-encoding/encoded-series.ts'
import { getPointEncoder } from '../../../../src/http/v2/series-encoding/point-encoder.ts'
import { encodeSeriesBody, encodeSeriesHead } from '../../../../src/http/v2/series-encoding/series-body.ts'
import { getZone } from '../../../../src/calendar/zone.ts'

const zone = getZone('Europe/London')

test('an encoded series equals the output of JSON.stringify, byte for byte', () => {
  const at = Date.UTC(2026, 2, 29)
  const values = [0, Number.NaN, 1e21, 1e-7]
  const columns: SeriesColumns = {
    windows: new Windows([at, at + 3_600_000, at + 7_200_000, at + 10_800_000, at + 14_400_000]),
    values,
    mins: [-1.5, Number.NaN, -0, 1e-7],
    maxs: [0, Number.NaN, 1.000001, 1e-7],
    counts: [1, 0, 4, 1],
    sums: values,
    quality: (['measured', 'missing', 'partial', 'suspect'] as const).map(toQualityIndex),
    coverage: [1, 0, 0.3333, 1],
    components: [undefined, undefined, undefined, { water: 12.5 }],
  }
  const fields = { spaceUuid: 'a "quoted" one', unit: 'µg/m³ of €', timeZone: zone.name }
  const head = encodeSeriesHead(fields)
  const range = { from: at, to: at + 3_600_000 }
  const summary = { total: 1, min: null, max: 3 }
  const comparison = { value: null, changePercent: null, coverage: 0 }
  const written = encodeSeries(getPointEncoder(zone), { columns, summary })
  assert.equal(encodeColumns(getPointEncoder(zone), columns.windows, columns).text, `,${written.windows()}`)
  const before = { ...fields, fromDateTime: zone.format(range.from), toDateTime: zone.format(range.to) }
  const timeSeries = toPoints(columns).map(({ at: start, ...point }) => ({
    timestamp: zone.format(start),
    ...point,
  }))
  assert.equal(
    encodeSeriesBody(head, zone, range, written).write(),
    JSON.stringify({ ...before, hasData: true, timeSeries, summary }),
  )
  const bytes = Buffer.from(encodeSeriesBody(head, zone, range, written).writeBytes(), 'latin1')
  assert.equal(bytes.toString(), JSON.stringify({ ...before, hasData: true, timeSeries, summary }))
  const climate = { mean: -1.5, min: -2, max: 1e-7 }
  const suspect = { total: 4, suspectTotal: 2.5, min: 1, max: 3 }
  for (const other of [climate, suspect, { ...summary, total: null, max: null }])
    assert.equal(
      encodeSeriesBody(head, zone, range, { ...written, summary: other }).write(),
      JSON.stringify({ ...before, hasData: true, timeSeries, summary: other }),
    )
  const empty = { ...written, windows: () => '', hasData: false, isSynthetic: true }
  assert.equal(
    encodeSeriesBody(head, zone, range, empty, comparison).write(),
    JSON.stringify({
      ...before,
      isSynthetic: true,
      hasData: false,
      timeSeries: [],
      summary: { ...summary, comparison },
    }),
  )
})

test('its digest changes with the head, the range, the windows, the summary and the other fields', () => {
  const text = { windows: () => '', digest: new Digest(), hasData: true, summary: { min: 1, max: 2 } }
  const head = encodeSeriesHead({ spaceUuid: 'a' })
  const range = { from: 1, to: 3 }
  const bodies = [
    encodeSeriesBody(head, zone, range, text),
    encodeSeriesBody(encodeSeriesHead({ spaceUuid: 'b' }), zone, range, text),
    encodeSeriesBody(head, zone, { from: 2, to: 3 }, text),
    encodeSeriesBody(head, zone, { from: 1, to: 4 }, text),
    encodeSeriesBody(head, zone, range, { ...text, digest: new Digest().addText('1') }),
    encodeSeriesBody(head, zone, range, { ...text, summary: { total: 3, min: 1, max: 2 } }),
    encodeSeriesBody(head, zone, range, { ...text, summary: { min: 0, max: 2 } }),
    encodeSeriesBody(head, zone, range, { ...text, summary: { min: 1, max: 3 } }),
    encodeSeriesBody(head, zone, range, { ...text, summary: { min: 1, max: null } }),
    encodeSeriesBody(head, zone, range, { ...text, hasData: false }),
    encodeSeriesBody(head, zone, range, { ...text, isSynthetic: true }),
    encodeSeriesBody(head, zone, range, text, { value: 1, changePercent: null, coverage: 1 }),
  ]
  assert.equal(new Set(bodies.map(({ digest }) => digest)).size, bodies.length)
  assert.equal(encodeSeriesBody(head, zone, range, text).digest, bodies[0]?.digest)
})

test('the encoding of a window is fixed: changing it requires a new ENCODING_VERSION', () => {
  const columns: SeriesColumns = {
    windows: new Windows([Date.UTC(2026, 6, 1), Date.UTC(2026, 6, 2)]),
    values: [21.5],
    mins: [20],
    maxs: [23.000001],
    counts: [1],
    sums: [21.5],
    quality: [toQualityIndex('partial')],
    coverage: [0.5],
  }
  assert.equal(
    encodeSeries(getPointEncoder(zone), { columns, summary: { min: 20, max: 23 } }).windows(),
    '{"timestamp":"2026-07-01T01:00:00+01:00","value":21.5,"min":20,"max":23.000001,"quality":"partial","coverage":0.5}',
  )
})
