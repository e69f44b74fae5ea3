import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Windows } from '../../../../../src/calendar/interval.ts'
import { gaugeSeries, type Combination } from '../../../../../src/domain/telemetry/series/gauge-series.ts'
import {
  type Contributor,
  deviceContributor,
} from '../../../../../src/domain/telemetry/series/contribution.ts'
import type { Columns } from '../../../../../src/domain/telemetry/series/columns.ts'
import { sumConsumption } from '../../../../../src/domain/telemetry/series/meter-series.ts'
import { type Zone, getZone } from '../../../../../src/calendar/zone.ts'
import { toWindows } from '../../../../../src/calendar/window-edges.ts'
import { REGISTER } from '../../../../support/small-site.ts'
import { type DrawnMeter, meter, MOMENTS, placeMeters } from '../../../../support/meters.ts'

const MINUTE = 60_000
const DAY = 1_440 * MINUTE
const RUNS = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 15) }

/** More quarter hours than are read in one step. */
const someWeeks = (zone: Zone, middle: number): Windows =>
  toWindows(zone, 'PT15M', middle - 12 * DAY, middle + 12 * DAY)

/** Some of the windows, those around the limits of steps among them. */
const isCompared = (_window: unknown, index: number): boolean => index % 744 < 2 || index % 61 === 0

test('consumption in many windows equals that of each window alone', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...MOMENTS),
      fc.array(meter, { minLength: 1, maxLength: 12 }),
      async ([name, at], meters) => {
        const zone = getZone(name)
        const middle = Temporal.Instant.from(at).epochMilliseconds
        const { source, contributors } = await placeMeters(zone, middle, meters)
        const windows = [...someWeeks(zone, middle)]
        const columns = await sumConsumption(source, contributors, windows)
        assert.equal(columns.values.length, windows.length)
        for (const [index, window] of [...windows.entries()].filter(isCompared))
          assert.deepEqual(pickWindow(columns, index), await sumConsumption(source, contributors, [window]))
      },
    ),
    RUNS,
  )
})

/** Sensors whose values add up exactly in binary. */
const sensor = meter.map(
  (drawn): DrawnMeter => ({
    ...drawn,
    rolledUpDays: -45,
    readings: drawn.readings.map(({ minutes, value }) => ({ minutes, value: Math.round(value * 8) / 8 })),
  }),
)

/** The first device comes back after its placement: a second contributor of the same series. */
function comeBack(contributors: readonly Contributor[], middle: number): Contributor[] {
  const [first] = contributors
  if (first?.placement.to == null) return [...contributors]
  const placement = { spaceUuid: '', from: Math.max(first.placement.to, middle + 2 * DAY), to: null }
  const returned = { seriesId: first.seriesId ?? 0, deviceUuid: '', spec: REGISTER, placement }
  return [...contributors, deviceContributor(returned)]
}

for (const combination of ['pooled', 'added'] satisfies Combination[]) {
  test(`values of sensors, ${combination}, in many windows equal those of each window alone`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...MOMENTS),
        fc.array(sensor, { minLength: 1, maxLength: 12 }),
        async ([name, at], sensors) => {
          const zone = getZone(name)
          const middle = Temporal.Instant.from(at).epochMilliseconds
          const placed = await placeMeters(zone, middle, sensors)
          const contributors = comeBack(placed.contributors, middle)
          const windows = someWeeks(zone, middle)
          const now = middle + 20 * DAY
          const read = (some: Windows) => gaugeSeries(placed.source, contributors, some, combination, now)
          const { columns, summary } = await read(windows)
          for (const [index, { from, to }] of [...[...windows].entries()].filter(isCompared)) {
            const one = (await read(new Windows([from, to]))).columns
            assert.deepEqual(one.windows.whole, { from, to })
            assert.deepEqual({ windows: one.windows, ...pickWindow(columns, index) }, one)
          }
          const whole = await read(new Windows([windows.whole.from, windows.whole.to]))
          assert.deepEqual(summary, whole.summary)
        },
      ),
      RUNS,
    )
  })
}

/** Columns with one of the windows. */
const pickWindow = (
  { values, mins, maxs, counts, sums, coverage, quality }: Columns,
  index: number,
): Columns => {
  const pick = (column: Columns['values']): number[] => [column[index] ?? assert.fail()]
  return {
    values: pick(values),
    ...(mins && maxs ? { mins: pick(mins), maxs: pick(maxs) } : {}),
    counts: pick(counts),
    sums: pick(sums),
    coverage: pick(coverage),
    quality: pick(quality),
  }
}
