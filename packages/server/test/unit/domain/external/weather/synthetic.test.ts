import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CONDITIONS, type Coordinates } from '../../../../../src/domain/external/weather/provider.ts'
import { syntheticWeather, syntheticWeatherAt } from '../../../../../src/domain/external/weather/synthetic.ts'
import { createClock } from '../../../../support/clock.ts'

const LONDON = { latitude: 51.51, longitude: -0.07 }
const SYDNEY = { latitude: -33.87, longitude: 151.2 }
const EVERYWHERE = [-90, -60, -30, 0, 30, 60, 90].flatMap((latitude) =>
  [-180, -70, 0, 110, 180].map((longitude) => ({ latitude, longitude })),
)
const HOUR = 3_600_000
const DAY = 24 * HOUR

/** The mean temperature of thirty days from the first of a month, at one hour of UTC or over all. */
function computeMean(place: Coordinates, month: number, hour?: number): number {
  const start = Date.UTC(2026, month, 1)
  const instants = Array.from({ length: 30 * 24 }, (_, index) => start + index * HOUR).filter(
    (at) => hour === undefined || (at % DAY) / HOUR === hour,
  )
  return instants.reduce((sum, at) => sum + syntheticWeatherAt(place, at).temperature, 0) / instants.length
}

describe('synthetic weather', () => {
  test('is colder in winter than in summer, in each hemisphere', () => {
    assert.ok(computeMean(LONDON, 0) < computeMean(LONDON, 6) - 8)
    assert.ok(computeMean(SYDNEY, 6) < computeMean(SYDNEY, 0) - 5)
  })

  test('is colder at night than in the afternoon, in local solar time', () => {
    assert.ok(computeMean(LONDON, 6, 3) < computeMean(LONDON, 6, 15) - 3)
    assert.ok(computeMean(SYDNEY, 6, 17) < computeMean(SYDNEY, 6, 5) - 3)
  })

  test('is colder in the north than in the south', () => {
    assert.ok(computeMean({ latitude: 60, longitude: 0 }, 3) < computeMean({ latitude: 40, longitude: 0 }, 3))
  })

  test('has plausible values everywhere and always, all marked as synthetic', () => {
    const seen = new Set<string>()
    for (const place of EVERYWHERE)
      for (let at = Date.UTC(2024, 0, 1); at < Date.UTC(2026, 0, 1); at += 5.25 * HOUR) {
        const weather = syntheticWeatherAt(place, at)
        const { temperature, humidity, windSpeed, precipitation, condition } = weather
        assert.ok(temperature > -60 && temperature < 50, `${temperature} degC`)
        assert.ok(humidity >= 20 && humidity <= 100)
        assert.ok(windSpeed > 0 && windSpeed < 20)
        assert.ok(precipitation >= 0 && precipitation < 5)
        assert.equal(precipitation > 0, ['drizzle', 'rain', 'snow'].includes(condition))
        assert.ok(CONDITIONS.includes(condition))
        assert.deepEqual([weather.isSynthetic, weather.isStale], [true, false])
        seen.add(condition)
      }
    assert.deepEqual([...seen].toSorted(), ['clear', 'drizzle', 'overcast', 'partlyCloudy', 'rain', 'snow'])
  })

  test('is dry most of the time, but not always', () => {
    const all = Array.from({ length: 365 * 24 }, (_, index) =>
      syntheticWeatherAt(LONDON, Date.UTC(2026, 0, 1) + index * HOUR),
    )
    const share = all.filter(({ precipitation }) => precipitation > 0).length / all.length
    assert.ok(share > 0.02 && share < 0.3, String(share))
  })

  test('is the same for the same location and quarter hour, and differs between locations', async () => {
    const clock = createClock(Date.UTC(2026, 10, 15, 12, 14, 59))
    const weather = syntheticWeather(clock)
    const before = await weather.current(LONDON)
    assert.equal(before.observedAt, Date.UTC(2026, 10, 15, 12))
    clock.at = before.observedAt
    assert.deepEqual(await weather.current(LONDON), before)
    assert.notDeepEqual(await weather.current({ latitude: 53.79, longitude: -1.54 }), before)
  })
})
