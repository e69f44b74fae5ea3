import assert from 'node:assert/strict'
import { toEpoch, getSeries, millionths, type Point, type Series, listValues } from '../clients/series.ts'
import type { V2Client } from '../clients/v2-client.ts'
import type { Interval } from '../oracles/windows.ts'
import { type Days, computeEdges } from './edges.ts'
import type { Expected } from './oracle.ts'
import type { Target } from './targets.ts'

export interface Place {
  client: V2Client
  timeZone: string
}

// Values have six decimals, rounded at both edges, and once more where a register with longer decimals was reset in
// between; coverage has four. A value computed from several rounded ones may be off by as much for each.
const valueStep = 1.501e-6
const coverageStep = 1.01e-4

/** Requests the windows of these days and compares each with the oracle. */
export async function compareWindows(
  { client, timeZone }: Place,
  target: Target,
  interval: Interval,
  days: Days,
): Promise<Series> {
  const { path, params } = target
  const series = await getSeries(client, path(interval), {
    ...params,
    interval,
    fromDateTime: days.first.toString(),
    toDateTime: days.end.toString(),
  })
  const edges = computeEdges(days, interval, timeZone)
  const about = `${target.name} ${interval}`
  assert.deepEqual(
    [...series.points.map(({ at }) => at), toEpoch(series.json['toDateTime'])],
    edges,
    `${about}: the windows`,
  )
  const expected = target.expect(edges)
  for (const [index, point] of series.points.entries()) assertWindow(point, expected[index], about)
  assert.equal(
    series.json['hasData'],
    expected.some(({ value }) => value !== null),
    `${about}: hasData`,
  )
  assertSummary(series, target, edges, about)
  return series
}

export function assertWindow(point: Point, expected: Expected | undefined, about: string): void {
  assert.ok(expected)
  const message = `${about} ${point.timestamp}: ${JSON.stringify(point.json)} is not ${JSON.stringify(expected)}`
  assert.equal(point.quality, expected.quality, message)
  assert.ok(Math.abs(point.coverage - expected.coverage) <= coverageStep, message)
  assertNumber(point.value, expected.value, expected.parts, message)
  for (const name of ['min', 'max'] as const) {
    const shown = point.json[name] ?? null
    assertNumber(shown, expected[name] ?? null, expected.parts, `${name} of ${message}`)
  }
}

function assertNumber(shown: unknown, expected: number | null, parts: number, message: string): void {
  if (expected === null) assert.equal(shown, null, message)
  else assert.ok(Math.abs(Number(shown ?? NaN) - expected) <= valueStep * Math.max(1, parts), message)
}

/** A total is the sum of its windows; the mean of a gauge is computed over the range as a single window. */
function assertSummary(series: Series, target: Target, edges: number[], about: string): void {
  const { summary } = series
  if (target.isGauge) {
    const [whole] = target.expect([edges[0] ?? 0, edges.at(-1) ?? 0])
    assertNumber(summary['mean'], whole?.value ?? null, whole?.parts ?? 1, `${about}: mean`)
    return
  }
  const values = listValues(series).filter((value) => value !== null)
  const total = summary['total'] === null ? null : millionths([Number(summary['total'])])
  assert.equal(total, values.length === 0 ? null : millionths(values), `${about}: total`)
  const suspect = millionths(
    series.points.map(({ value, quality }) => (quality === 'suspect' ? value : null)),
  )
  const { suspectTotal } = summary
  if (suspect === 0) assert.equal(suspectTotal, undefined, `${about}: suspectTotal`)
  else assert.equal(millionths([Number(suspectTotal)]), suspect, `${about}: suspectTotal`)
}

/** Asserts that every coarser window is the sum of the finer windows in it. */
export function assertAddUp(target: Target, finer: Series, coarser: Series): void {
  const about = `${target.name}: ${String(finer.json['interval'])} in ${String(coarser.json['interval'])}`
  const [first, last] = [toEpoch(finer.json['fromDateTime']), toEpoch(finer.json['toDateTime'])]
  const ends = [...coarser.points.slice(1).map(({ at }) => at), toEpoch(coarser.json['toDateTime'])]
  for (const [index, { at, value, timestamp }] of coarser.points.entries()) {
    const end = ends[index] ?? 0
    if (at < first || end > last) continue
    const inside = finer.points.filter((point) => point.at >= at && point.at < end)
    const known = inside.filter((point) => point.value !== null)
    assert.equal(value === null, known.length === 0, `${about} ${timestamp}: null`)
    const difference = Math.abs(millionths([value]) - millionths(inside.map((point) => point.value)))
    const allowed = target.hasLongDecimals ? inside.length : 0
    assert.ok(difference <= allowed, `${about} ${timestamp}: off by ${difference} millionths`)
  }
}
