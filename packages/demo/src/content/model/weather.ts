import { type Grid, toInstant, SLOTS_PER_DAY } from './grid.ts'
import { drift } from './noise.ts'

export interface Weather {
  /** degC */
  outdoor: Float32Array
  /** 0 clear .. 1 overcast */
  cloud: Float32Array
  /** Sine of the sun's elevation, 0 at night. */
  sun: Float32Array
  /** 1 while it is cold enough for the heating circuit to run. */
  isHeating: Uint8Array
}

const YEAR_DAYS = 365.25
const TAU = 2 * Math.PI

/** Seasons, days and nights, and spells of a few days. The sun follows UTC, because the sites are near the meridian. */
export function createWeather(grid: Grid, climate: { latitude: number; seed: number }): Weather {
  const weather: Weather = {
    outdoor: new Float32Array(grid.count),
    cloud: new Float32Array(grid.count),
    sun: new Float32Array(grid.count),
    isHeating: new Uint8Array(grid.count),
  }
  const yearStart = Date.UTC(2024, 0, 1)
  const latitude = (climate.latitude * Math.PI) / 180
  const northern = (climate.latitude - 51.5) * 0.7
  let recent = 17
  let isHeating = false
  for (let index = 0; index < grid.count; index += 1) {
    const days = index / SLOTS_PER_DAY
    const season = (toInstant(index) - yearStart) / 86_400_000
    const hour = (days % 1) * 24
    const declination = 0.409 * Math.sin((TAU * (season - 81)) / YEAR_DAYS)
    const height =
      Math.sin(latitude) * Math.sin(declination) +
      Math.cos(latitude) * Math.cos(declination) * Math.cos((TAU * (hour - 12)) / 24)
    const cloud = Math.min(
      1,
      Math.max(0, 0.62 + 0.45 * drift(climate.seed, days / 3.1) + 0.3 * drift(climate.seed + 1, days * 2.3)),
    )
    const warmth = -Math.cos((TAU * (season - 22)) / YEAR_DAYS)
    const swing = (3.1 + 1.6 * warmth) * (1.25 - 0.7 * cloud)
    const outdoor =
      12.3 -
      northern +
      6.6 * warmth +
      swing * Math.cos((TAU * (hour - 15)) / 24) +
      4.2 * drift(climate.seed + 2, days / 4.7) +
      1.1 * drift(climate.seed + 3, days * 1.7)
    weather.outdoor[index] = outdoor
    weather.cloud[index] = cloud
    weather.sun[index] = Math.max(0, height)
    // A controller with a one-day average and a dead band, so that the circuit does not switch too often.
    recent += (outdoor - recent) / SLOTS_PER_DAY
    if (recent < 13.5) isHeating = true
    else if (recent > 15) isHeating = false
    weather.isHeating[index] = isHeating ? 1 : 0
  }
  return weather
}
