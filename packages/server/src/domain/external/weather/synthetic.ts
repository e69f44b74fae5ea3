import type { Clock } from '../../../kernel/clock.ts'
import { smoothNoise } from '../smooth-noise.ts'
import type { Condition, Coordinates, Weather, WeatherProvider } from './provider.ts'

const QUARTER_HOUR_MS = 900_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const YEAR_MS = 365.25 * DAY_MS
const TAU = 2 * Math.PI

/** Synthetic weather for installations without a live source. Calls no service. */
export const syntheticWeather = (clock: Clock): WeatherProvider => ({
  current: async (coordinates) => syntheticWeatherAt(coordinates, clock.now()),
})

/**
 * Plausible weather by latitude, season and solar hour, with spells of some days. Deterministic for a location and
 * quarter hour.
 */
export function syntheticWeatherAt(coordinates: Coordinates, at: number): Weather {
  const observedAt = Math.floor(at / QUARTER_HOUR_MS) * QUARTER_HOUR_MS
  const { latitude } = coordinates
  const days = observedAt / DAY_MS
  const spell = createSpells(coordinates)
  const cloud = clamp(0.55 + 0.5 * spell(0, days / 2.3) + 0.25 * spell(1, days * 2.1), 0, 1)
  // The sign of the latitude reverses the seasons south of the equator.
  const season = -Math.cos((TAU * (observedAt - 20 * DAY_MS)) / YEAR_MS)
  const day = Math.cos((TAU * (solarHour(coordinates, observedAt) - 15)) / 24)
  const temperature =
    27 -
    0.006 * latitude ** 2 +
    0.14 * latitude * season +
    (4.5 - 2.5 * cloud) * day +
    3.5 * spell(2, days / 4.1)
  const wetness = Math.max(0, cloud - 0.75) * Math.max(0, spell(3, days * 3.7))
  const precipitation = wetness < 0.01 ? 0 : round1(wetness * 6)
  return {
    temperature: round1(temperature),
    humidity: Math.round(clamp(72 - 14 * day * (1 - 0.6 * cloud) + 18 * (cloud - 0.5), 20, 100)),
    windSpeed: round1(Math.max(0.3, 4.2 + 3 * spell(4, days / 1.3) + 1.2 * spell(5, days * 3))),
    precipitation,
    condition: toCondition(cloud, precipitation, temperature),
    observedAt,
    isSynthetic: true,
    isStale: false,
  }
}

/** Noise specific to a location: locations within about ten kilometres share their weather. */
function createSpells({ latitude, longitude }: Coordinates): (kind: number, position: number) => number {
  const cell = Math.round((latitude + 90) * 10) * 3600 + Math.round((longitude + 180) * 10)
  return (kind, position) => smoothNoise(position + kind * 7919 + (cell % 100_003))
}

const solarHour = ({ longitude }: Coordinates, at: number): number => (at % DAY_MS) / HOUR_MS + longitude / 15

function toCondition(cloud: number, precipitation: number, temperature: number): Condition {
  if (precipitation > 0 && temperature < 0.5) return 'snow'
  if (precipitation > 0) return precipitation < 0.3 ? 'drizzle' : 'rain'
  if (cloud < 0.3) return 'clear'
  return cloud < 0.7 ? 'partlyCloudy' : 'overcast'
}

const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value))

const round1 = (value: number): number => Math.round(value * 10) / 10
