import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writePoint } from '../../../src/aggregate/fragment.ts'
import type { Point } from '../../../src/aggregate/point.ts'
import { seriesBody, seriesHead, toWirePoints, V2_WINDOWS } from '../../../src/http/v2/series-convert.ts'
import { Digest } from '../../../src/lib/digest.ts'
import { zoneOf } from '../../../src/lib/zone.ts'

const zone = zoneOf('Europe/London')

test('a series written out is what JSON.stringify makes of it, to the byte', () => {
  const at = Date.UTC(2026, 2, 29)
  const points: Point[] = [
    { at, value: 0, quality: 'measured', coverage: 1 },
    { at: at + 3_600_000, value: null, quality: 'missing', coverage: 0 },
    { at: at + 7_200_000, value: 1e21, min: -0, max: 1.000001, quality: 'partial', coverage: 0.3333 },
    { at: at + 1, value: 1e-7, quality: 'suspect', coverage: 1, components: { water: 12.5 } },
  ]
  const said = { spaceUuid: 'a "quoted" one', unit: 'µg/m³ of €', timeZone: zone.name }
  const head = seriesHead(said)
  const range = { from: at, to: at + 3_600_000 }
  const summary = { total: 1, min: null, max: 3 }
  const comparison = { value: null, changePercent: null }
  const written = {
    windows: () => points.map((point) => writePoint(V2_WINDOWS, zone, point)).join(','),
    digest: new Digest(),
    hasData: true,
    summary,
  }
  const before = { ...said, fromDateTime: zone.format(range.from), toDateTime: zone.format(range.to) }
  const timeSeries = toWirePoints(zone, points)
  assert.equal(
    seriesBody(head, zone, range, written).write(),
    JSON.stringify({ ...before, hasData: true, timeSeries, summary }),
  )
  const bytes = Buffer.from(seriesBody(head, zone, range, written).writeBytes(), 'latin1')
  assert.equal(bytes.toString(), JSON.stringify({ ...before, hasData: true, timeSeries, summary }))
  const climate = { mean: -1.5, min: -2, max: 1e-7 }
  for (const other of [climate, { ...summary, total: null, max: null }])
    assert.equal(
      seriesBody(head, zone, range, { ...written, summary: other }).write(),
      JSON.stringify({ ...before, hasData: true, timeSeries, summary: other }),
    )
  const empty = { ...written, windows: () => '', hasData: false, isSynthetic: true }
  assert.equal(
    seriesBody(head, zone, range, empty, comparison).write(),
    JSON.stringify({
      ...before,
      isSynthetic: true,
      hasData: false,
      timeSeries: [],
      summary: { ...summary, comparison },
    }),
  )
})

test('its digest is another when the head, the range, the windows, the summary or anything said beside them is', () => {
  const text = { windows: () => '', digest: new Digest(), hasData: true, summary: { min: 1, max: 2 } }
  const head = seriesHead({ spaceUuid: 'a' })
  const range = { from: 1, to: 3 }
  const bodies = [
    seriesBody(head, zone, range, text),
    seriesBody(seriesHead({ spaceUuid: 'b' }), zone, range, text),
    seriesBody(head, zone, { from: 2, to: 3 }, text),
    seriesBody(head, zone, { from: 1, to: 4 }, text),
    seriesBody(head, zone, range, { ...text, digest: new Digest().addText('1') }),
    seriesBody(head, zone, range, { ...text, summary: { total: 3, min: 1, max: 2 } }),
    seriesBody(head, zone, range, { ...text, summary: { min: 0, max: 2 } }),
    seriesBody(head, zone, range, { ...text, summary: { min: 1, max: 3 } }),
    seriesBody(head, zone, range, { ...text, summary: { min: 1, max: null } }),
    seriesBody(head, zone, range, { ...text, hasData: false }),
    seriesBody(head, zone, range, { ...text, isSynthetic: true }),
    seriesBody(head, zone, range, text, { value: 1, changePercent: null }),
  ]
  assert.equal(new Set(bodies.map(({ digest }) => digest)).size, bodies.length)
  assert.equal(seriesBody(head, zone, range, text).digest, bodies[0]?.digest)
})

test('a window is written like this: written otherwise, FORM has to be another too', () => {
  const point: Point = {
    at: Date.UTC(2026, 6, 1),
    value: 21.5,
    min: 20,
    max: 23.000001,
    quality: 'partial',
    coverage: 0.5,
  }
  assert.equal(
    writePoint(V2_WINDOWS, zone, point),
    '{"timestamp":"2026-07-01T01:00:00+01:00","value":21.5,"min":20,"max":23.000001,"quality":"partial","coverage":0.5}',
  )
})
