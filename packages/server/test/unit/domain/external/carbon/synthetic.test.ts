import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { syntheticCarbon, syntheticIntensity } from '../../../../../src/domain/external/carbon/synthetic.ts'
import { createClock } from '../../../../support/clock.ts'

const HALF_HOUR = 1_800_000
const NOON = Date.UTC(2026, 10, 15, 12)
const PLACE = { postcode: null, latitude: null, longitude: null }
const carbon = syntheticCarbon(createClock(NOON))

/** The mean over a month, at one half hour of the day or over all. */
function computeMean(month: number, hour?: number): number {
  const start = Date.UTC(2026, month, 1)
  const instants = Array.from({ length: 28 * 48 }, (_, index) => start + index * HALF_HOUR).filter(
    (at) => hour === undefined || (at % (48 * HALF_HOUR)) / (2 * HALF_HOUR) === hour,
  )
  return instants.reduce((sum, at) => sum + syntheticIntensity(at), 0) / instants.length
}

describe('a synthetic grid', () => {
  test('has the intensity that synthetic emissions use', () => {
    const known = {
      '2024-01-15T18:30:00Z': 282,
      '2025-07-01T12:30:00Z': 87,
      '2026-11-15T03:00:00Z': 171,
      '2026-11-15T17:45:00Z': 259,
    }
    for (const [at, grams] of Object.entries(known)) assert.equal(syntheticIntensity(Date.parse(at)), grams)
  })

  test('has a higher intensity in winter than in summer, and in the evening than at night or at a sunny noon', () => {
    assert.ok(computeMean(0) > computeMean(6) + 20)
    assert.ok(computeMean(6, 18.5) > computeMean(6, 3) + 20)
    assert.ok(computeMean(6, 18.5) > computeMean(6, 12.5) + 20)
  })

  test('has every half hour that a span touches, future ones as a forecast', async () => {
    const all = await carbon.intensity(PLACE, NOON - HALF_HOUR - 1, NOON + 1)
    assert.deepEqual(
      all.map(({ from, to, isForecast }) => [(from - NOON) / HALF_HOUR, (to - NOON) / HALF_HOUR, isForecast]),
      [
        [-2, -1, false],
        [-1, 0, false],
        [0, 1, true],
      ],
    )
    assert.ok(all.every(({ isSynthetic, isStale }) => isSynthetic && !isStale))
    assert.deepEqual(await carbon.intensity(PLACE, NOON, NOON), [])
  })

  test('has an index that matches the intensity', async () => {
    const all = await carbon.intensity(PLACE, NOON - 365 * 48 * HALF_HOUR, NOON)
    const words = Object.groupBy(all, ({ index }) => index)
    const order = ['very low', 'low', 'moderate', 'high', 'very high'] as const
    const bounds = order.map((word) => words[word]?.map(({ gramsPerKwh }) => gramsPerKwh) ?? [])
    for (let index = 1; index < bounds.length; index += 1)
      assert.ok(Math.max(...(bounds[index - 1] ?? [])) < Math.min(...(bounds[index] ?? [])))
  })

  test('has a mix that adds up to 100 %, matches the intensity, and has solar by day only', async () => {
    for (let at = Date.UTC(2025, 0, 1); at < Date.UTC(2026, 0, 1); at += 7 * HALF_HOUR) {
      const { fuels, isSynthetic } = await carbon.mix(PLACE, at)
      const percent = Object.fromEntries(fuels.map((share) => [share.fuel, share.percent]))
      assert.ok(isSynthetic)
      assert.ok(fuels.every((share) => share.percent >= 0 && share.percent <= 100))
      assert.ok(Math.abs(fuels.reduce((sum, share) => sum + share.percent, 0) - 100) < 1e-9)
      const hour = (at % (48 * HALF_HOUR)) / (2 * HALF_HOUR)
      if (hour < 4 || hour > 21) assert.equal(percent['solar'], 0)
      // Gas, imports, biomass and other sources, by emissions per kilowatt hour.
      const grams =
        ((percent['gas'] ?? 0) * 394 +
          (percent['imports'] ?? 0) * 150 +
          (percent['biomass'] ?? 0) * 120 +
          (percent['other'] ?? 0) * 300) /
        100
      assert.ok(Math.abs(grams - syntheticIntensity(at)) < 10, `${grams} at ${at}`)
    }
  })
})
