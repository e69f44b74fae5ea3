import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Point } from '../../../src/aggregate/point.ts'
import { pointText, seriesText, toWirePoints } from '../../../src/http/v2/series-convert.ts'
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
    windows: points.map((point) => pointText(zone, point)).join(','),
    hasData: true,
    summary,
  }
  const asObject = { ...head, hasData: true, timeSeries: toWirePoints(zone, points), summary }
  assert.equal(seriesText(head, written), JSON.stringify(asObject))
  assert.equal(
    seriesText(head, { windows: '', hasData: false, summary }, comparison),
    JSON.stringify({ ...asObject, hasData: false, timeSeries: [], summary: { ...summary, comparison } }),
  )
})
