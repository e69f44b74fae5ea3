import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dayValuesIn } from '../../../../../src/domain/telemetry/series/day-values.ts'
import { SUSPECT } from '../../../../../src/domain/telemetry/series/columns.ts'
import { sumConsumption } from '../../../../../src/domain/telemetry/series/meter-series.ts'
import { getZone } from '../../../../../src/calendar/zone.ts'
import { toWindows } from '../../../../../src/calendar/window-edges.ts'
import { meter, MOMENTS, placeMeters } from '../../../../support/meters.ts'

const MINUTE = 60_000

test('day values equal the values of their windows, except on suspect days', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...MOMENTS),
      fc.array(meter, { maxLength: 2 }),
      fc.integer({ min: -40 * 1440, max: 0 }),
      fc.integer({ min: 1, max: 70 * 1440 }),
      async ([name, at], meters, from, length) => {
        const zone = getZone(name)
        const middle = Temporal.Instant.from(at).epochMilliseconds
        const { source, contributors } = await placeMeters(zone, middle, meters)
        const start = middle + from * MINUTE
        const days = [...toWindows(zone, 'P1D', start, start + length * MINUTE)]
        const { values, quality } = await sumConsumption(source, contributors, days)
        const expected = values.map((value, day) => (quality[day] === SUSPECT ? Number.NaN : value))
        assert.deepEqual([...(await dayValuesIn(source, contributors, days))], expected)
      },
    ),
    { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 60) },
  )
})
