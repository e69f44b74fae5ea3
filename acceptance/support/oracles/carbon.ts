import assert from 'node:assert/strict'
import { asNumber } from '../clients/series.ts'
import { asArray, asObject, type JsonObject } from '../json.ts'

/** Kilograms of CO2e per unit that the documentation names as defaults. Electricity has no constant factor. */
export const DEFAULT_FACTORS: Record<string, number> = { gas: 2.04, heating: 0.18, cooling: 0.07 }

const round6 = (value: number): number => Math.round(value * 1e6) / 1e6

const close = (actual: unknown, expected: number, what: string): void =>
  assert.ok(Math.abs(asNumber(actual) - expected) < 1.5e-6, `${what}: ${String(actual)}, not ${expected}`)

const readWindows = (series: JsonObject): JsonObject[] => asArray(series['timeSeries']).map(asObject)

/**
 * Asserts that a series of emissions follows from consumption and factors. `electricity` is a series of the emissions
 * of the same electricity alone, whose intensity the test does not know.
 */
export function assertEmissions(
  carbon: JsonObject,
  {
    electricity,
    consumption,
    factors = DEFAULT_FACTORS,
  }: {
    electricity?: JsonObject
    /** Series of consumption over the same windows, by metric. */
    consumption: Record<string, JsonObject>
    factors?: Record<string, number>
  },
): void {
  const totals: Record<string, number> = {}
  const windows = readWindows(carbon)
  assert.ok(windows.length > 0)
  for (const [index, { timestamp, value, components }] of windows.entries()) {
    const expected: Record<string, number> = {}
    const inGrid = electricity && readWindows(electricity)[index]?.['value']
    if (typeof inGrid === 'number') expected['electricity'] = inGrid
    for (const [metric, series] of Object.entries(consumption)) {
      const used = readWindows(series)[index]?.['value']
      if (typeof used === 'number') expected[metric] = round6(used * (factors[metric] ?? Number.NaN))
    }
    const names = Object.keys(expected)
    if (names.length === 0) {
      assert.deepEqual([value, components], [null, undefined], String(timestamp))
      continue
    }
    const own = asObject(components)
    assert.deepEqual(Object.keys(own), names, String(timestamp))
    let sum = 0
    for (const name of names) {
      close(own[name], expected[name] ?? Number.NaN, `${name} of ${String(timestamp)}`)
      sum += asNumber(own[name])
      totals[name] = (totals[name] ?? 0) + asNumber(own[name])
    }
    assert.equal(value, round6(sum))
  }
  const summary = asObject(carbon['summary'])
  const names = Object.keys(totals)
  if (names.length === 0) {
    assert.deepEqual([summary['total'], summary['components']], [null, undefined])
    return
  }
  assert.deepEqual(Object.keys(asObject(summary['components'])), names)
  for (const name of names)
    close(asObject(summary['components'])[name], totals[name] ?? 0, `total of ${name}`)
  close(
    summary['total'],
    Object.values(asObject(summary['components'])).reduce<number>((sum, part) => sum + asNumber(part), 0),
    'total',
  )
}
