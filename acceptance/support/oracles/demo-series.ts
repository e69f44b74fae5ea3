import assert from 'node:assert/strict'
import fc from 'fast-check'
import { isPostgres } from '../servers/backend.ts'
import type { Metric } from './demo-data.ts'
import { asString } from '../json.ts'
import { gaugeIn } from './readings.ts'
import { asNumber, type Reading, type Series } from '../clients/series.ts'
import { computeWindows } from './windows.ts'

const demoZone = 'Europe/London'
export const todayHere = Temporal.Now.plainDateISO(demoZone)

/** Minimum length of the demo's history. */
export const historyDays = isPostgres() ? 90 : 400

/** A day within the demo's history, old enough that its data no longer changes. */
export const pastDay = fc
  .integer({ min: 8, max: historyDays - 3 })
  .map((age) => todayHere.subtract({ days: age }))

/** Days of clock changes, if the week around them is within the demo's history. */
export const clockChanges = Array.from({ length: historyDays - 15 }, (_, age) =>
  todayHere.subtract({ days: age + 8 }),
).filter((day) => day.toZonedDateTime(demoZone).hoursInDay !== 24)

export type Range = Record<'fromDateTime' | 'toDateTime', string>

export function days(from: Temporal.PlainDate, count: number): Range {
  return { fromDateTime: from.toString(), toDateTime: from.add({ days: count }).toString() }
}

export function computeEdges({ fromDateTime, toDateTime }: Range, interval: 'PT1H' | 'P1D'): number[] {
  const [from = 0, to = 0] = [fromDateTime, toDateTime].map(
    (date) => Temporal.PlainDate.from(date).toZonedDateTime(demoZone).epochMilliseconds,
  )
  return computeWindows(from, to, interval, demoZone).edges
}

export function ofSpace(spaceUuid: unknown, metricType: string): string {
  return `/spaces/${asString(spaceUuid)}/aggregate/${metricType}`
}

export function ofDevice({ deviceUuid, metricType }: Metric): string {
  return `/devices/${deviceUuid}/consumption/${metricType}`
}

/** Equal except for the sixth decimal, which is rounded at both edges of a window. */
export function assertNear(actual: number | null | undefined, expected: number, message: string): void {
  const isNear = Math.abs((actual ?? Number.NaN) - expected) < 2.1e-6
  assert.ok(isNear, `${message}: ${String(actual)} is not ${expected}`)
}

/** Asserts that every point has its fields, a known quality, and null exactly where nothing was measured. */
export function assertPoints({ points }: Series, more: string[]): void {
  for (const { json, quality, coverage, value } of points) {
    const optional = value === null ? [] : more
    const fields = Object.keys(json).filter((name) => value !== null || !more.includes(name))
    assert.deepEqual(fields.toSorted(), ['coverage', 'quality', 'timestamp', 'value', ...optional].toSorted())
    assert.ok(['measured', 'estimated', 'partial', 'suspect', 'missing'].includes(quality), quality)
    assert.ok(coverage >= 0 && coverage <= 1, String(coverage))
    assert.equal(value === null, quality === 'missing')
    if (value !== null) assert.equal(Number(value.toFixed(6)), value)
  }
}

/** Asserts that every window of a gauge matches its readings. */
export function assertGauge({ points }: Series, edges: number[], sensors: Reading[][]): void {
  assert.equal(points.length, edges.length - 1)
  for (const [index, { timestamp, value, coverage, json }] of points.entries()) {
    const expected = gaugeIn(sensors, edges[index] ?? 0, edges[index + 1] ?? 0)
    if (!expected) {
      assert.equal(value, null, timestamp)
      continue
    }
    assertNear(value, expected.mean, `mean ${timestamp}`)
    assertNear(asNumber(json['min']), expected.min, `min ${timestamp}`)
    assertNear(asNumber(json['max']), expected.max, `max ${timestamp}`)
    assert.ok(Math.abs(coverage - expected.coverage) < 1e-3, `coverage ${timestamp}: ${coverage}`)
  }
}
