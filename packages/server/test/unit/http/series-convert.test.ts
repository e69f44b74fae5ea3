import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Point } from '../../../src/aggregate/point.ts'
import { pointText, seriesBody, toWirePoints } from '../../../src/http/v2/series-convert.ts'
import { TextDigest } from '../../../src/lib/text-digest.ts'
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
  const head = { spaceUuid: 'a "quoted" one', timeZone: zone.name }
  const summary = { total: 1, min: null, max: 3 }
  const comparison = { value: null, changePercent: null }
  const written = {
    windows: () => points.map((point) => pointText(zone, point)).join(','),
    digest: new TextDigest(),
    hasData: true,
    summary,
  }
  const asObject = { ...head, hasData: true, timeSeries: toWirePoints(zone, points), summary }
  assert.equal(seriesBody(head, written).write(), JSON.stringify(asObject))
  assert.equal(
    seriesBody(head, { ...written, windows: () => '', hasData: false }, comparison).write(),
    JSON.stringify({ ...asObject, hasData: false, timeSeries: [], summary: { ...summary, comparison } }),
  )
})

test('its digest is another when the head, the windows, the summary or whether there is data is', () => {
  const text = { windows: () => '', digest: new TextDigest(), hasData: true, summary: { min: 1, max: 2 } }
  const head = { spaceUuid: 'a' }
  const bodies = [
    seriesBody(head, text),
    seriesBody({ spaceUuid: 'b' }, text),
    seriesBody(head, { ...text, digest: new TextDigest().addText('1') }),
    seriesBody(head, { ...text, summary: { min: 1, max: 3 } }),
    seriesBody(head, { ...text, hasData: false }),
    seriesBody(head, text, { value: 1, changePercent: null }),
  ]
  assert.equal(new Set(bodies.map(({ digest }) => digest)).size, bodies.length)
  assert.equal(seriesBody(head, text).digest, bodies[0]?.digest)
})
