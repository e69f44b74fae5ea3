import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Windows } from '../../../../../src/calendar/interval.ts'
import type { CellSource } from '../../../../../src/domain/telemetry/rollup/cells.ts'
import type { Contributor } from '../../../../../src/domain/telemetry/series/contribution.ts'
import { toValue } from '../../../../../src/domain/telemetry/series/columns.ts'
import { createEmissionGrid } from '../../../../../src/domain/telemetry/series/emission-grid.ts'
import { carbonSeries, emissionsIn } from '../../../../../src/domain/telemetry/series/emissions.ts'
import { sumConsumption, utilityWindows } from '../../../../../src/domain/telemetry/series/meter-series.ts'
import { round6 } from '../../../../../src/domain/telemetry/reading/window-value.ts'
import { type Zone, getZone } from '../../../../../src/calendar/zone.ts'
import { windowEdges } from '../../../../../src/calendar/window-edges.ts'
import { meter, MOMENTS, placeMeters } from '../../../../support/meters.ts'

const MINUTE = 60_000
const DAY = 1_440 * MINUTE

/** Intensities that differ from half hour to half hour, some of them synthetic. */
const INTENSITY = {
  gramsAt: (at: number) => 100 + (Math.floor(at / (30 * MINUTE)) % 97),
  isSyntheticAt: (at: number) => Math.floor(at / DAY) % 3 === 0,
}

const request = fc.record({
  moment: fc.constantFrom(...MOMENTS),
  meters: fc.array(meter, { minLength: 1, maxLength: 3 }),
  interval: fc.constantFrom('PT15M' as const, 'PT1H' as const, 'P1D' as const, 'P1M' as const),
  from: fc.integer({ min: -40 * 1440, max: 0 }),
  length: fc.integer({ min: 1, max: 70 * 1440 }),
  /** The last window may end in the middle of a half hour, at the current time. */
  isCut: fc.boolean(),
})

test('emissions equal, to the last digit, the sum over consecutive half hours', async () => {
  await fc.assert(
    fc.asyncProperty(request, async ({ moment: [name, at], meters, interval, from, length, isCut }) => {
      const zone = getZone(name)
      const middle = Temporal.Instant.from(at).epochMilliseconds
      const { source, contributors } = await placeMeters(zone, middle, meters)
      const start = middle + from * MINUTE
      const end = start + Math.min(length, interval.startsWith('PT') ? 5 * 1440 : length) * MINUTE
      const edges = windowEdges(zone, interval, start, end)
      if (isCut && edges.length > 1) edges[edges.length - 1] = (edges.at(-2) ?? 0) + 7 * MINUTE + 1
      const grid = createEmissionGrid(zone, new Windows(edges), INTENSITY)
      const { grams, isSynthetic } = await emissionsIn(source, contributors, grid)
      const expected = await naiveEmissions(source, zone, contributors, edges)
      assert.deepEqual([...grams], expected.grams)
      assert.equal(isSynthetic, expected.isSynthetic)
      // Chunks of the grid created for one series are reused for the next.
      assert.deepEqual([...(await emissionsIn(source, contributors, grid)).grams], expected.grams)
    }),
    { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 60) },
  )
})

test('the consumption of each meter is rounded before it is added, as in a consumption series', async () => {
  const zone = getZone('UTC')
  const middle = Date.UTC(2026, 2, 1)
  const readings = Array.from({ length: 97 }, (_, index) => ({ minutes: index * 30, value: 1 / 3 }))
  const thirds = { isDelta: true, maxPerHour: null, readings, stay: null, rolledUpDays: 2 }
  const { source, contributors } = await placeMeters(zone, middle, [thirds, thirds])
  const edges = [middle, middle + DAY]
  const { grams } = await emissionsIn(
    source,
    contributors,
    createEmissionGrid(zone, new Windows(edges), INTENSITY),
  )
  assert.deepEqual([...grams], (await naiveEmissions(source, zone, contributors, edges)).grams)
})

test('the emissions of several metrics add up, with the quality and coverage of all their meters', async () => {
  const sources = ['electricity', 'gas', 'heating', 'cooling'] as const
  const factors = { gas: 2.04, heating: 0.18, cooling: 0.07 }
  await fc.assert(
    fc.asyncProperty(request, fc.nat(80 * 1440), async ({ moment, meters, interval, from, length }, ago) => {
      const zone = getZone(moment[0])
      const middle = Temporal.Instant.from(moment[1]).epochMilliseconds
      const { source, contributors } = await placeMeters(zone, middle, meters)
      const start = middle + from * MINUTE
      const end = start + Math.min(length, interval.startsWith('PT') ? 1440 : length) * MINUTE
      const windows = new Windows(windowEdges(zone, interval, start, end))
      const now = end - ago * MINUTE
      let grids = 0
      const loadGrid = async () => {
        grids += 1
        return createEmissionGrid(zone, windows, INTENSITY)
      }
      const used = sources.map((metric, index) => ({
        metric,
        // The first meter is gas if there is only one: then there is no electricity at all.
        contributors: contributors.filter(
          (_, meter) => (meter + (meters.length === 1 ? 1 : 0)) % 4 === index,
        ),
      }))
      const series = await carbonSeries(source, windows, used, { factors, loadGrid }, now)
      assert.equal(grids, meters.length === 1 ? 0 : 1)
      const { columns } = series
      const expected = await utilityWindows(source, contributors, [...windows], now)
      const totals: Record<string, number> = {}
      for (const [index, { from: opensAt, to }] of [...windows].entries()) {
        const components: Record<string, number> = {}
        for (const { metric, contributors: own } of used) {
          const { values } = await sumConsumption(source, own, [{ from: opensAt, to }])
          if (Number.isNaN(values[0])) continue
          const { grams } = await emissionsIn(
            source,
            own,
            createEmissionGrid(zone, new Windows([opensAt, to]), INTENSITY),
          )
          const kilograms =
            metric === 'electricity' ? (grams[0] ?? 0) / 1000 : (values[0] ?? 0) * factors[metric]
          components[metric] = round6(kilograms)
          totals[metric] = round6((totals[metric] ?? 0) + round6(kilograms))
        }
        const all = Object.values(components)
        assert.deepEqual(columns.components?.[index], all.length === 0 ? undefined : components)
        const sum = round6(all.reduce((total, part) => total + part, 0))
        assert.equal(toValue(columns.values[index]), all.length === 0 ? null : sum)
        assert.equal(columns.quality[index], expected.quality[index])
        assert.ok(Math.abs((columns.coverage[index] ?? 0) - (expected.coverage[index] ?? 0)) <= 2e-4)
      }
      assert.deepEqual(series.summary.components ?? {}, totals)
      const total = Object.values(totals).reduce((sum, part) => sum + part, 0)
      assert.ok(Math.abs((series.summary.total ?? 0) - total) < 1e-6)
    }),
    { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 30) },
  )
})

/** Computes all half hours of the range together, with a point for each. */
async function naiveEmissions(
  source: CellSource,
  zone: Zone,
  contributors: readonly Contributor[],
  edges: readonly number[],
): Promise<{ grams: number[]; isSynthetic: boolean }> {
  const [from, to] = [edges[0] ?? 0, edges.at(-1) ?? 0]
  const between = windowEdges(zone, 'PT30M', from, to).filter((edge) => edge > from && edge < to)
  const halves = [...new Windows([...new Set([...edges, ...between])].toSorted((a, b) => a - b))]
  const { values: uses } = await sumConsumption(source, contributors, halves)
  let isSynthetic = false
  const grams = Array.from(new Windows(edges), (window) => {
    let sum = 0
    for (const [index, half] of halves.entries()) {
      if (half.from < window.from || half.from >= window.to) continue
      const used = toValue(uses[index]) ?? 0
      sum += used * INTENSITY.gramsAt(half.from)
      isSynthetic ||= used !== 0 && INTENSITY.isSyntheticAt(half.from)
    }
    return sum
  })
  return { grams, isSynthetic }
}
