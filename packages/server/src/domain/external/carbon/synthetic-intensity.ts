import { smoothNoise } from '../smooth-noise.ts'

/**
 * A plausible synthetic carbon intensity of a grid with wind, solar and gas, for installations without a live source:
 * higher in winter and at the evening peak, lower at night and at sunny noons, with slowly changing weather.
 * Deterministic for an instant.
 */
const DAY_MS = 86_400_000
const YEAR_MS = 365.25 * DAY_MS

export function syntheticIntensity(at: number): number {
  const halfHour = Math.floor(at / 1_800_000) * 1_800_000
  const hour = (halfHour % DAY_MS) / 3_600_000
  const season = Math.cos((2 * Math.PI * (halfHour - 15 * DAY_MS)) / YEAR_MS)
  const evening = Math.exp(-((hour - 18.5) ** 2) / 6)
  const night = Math.exp(-((((hour + 21) % 24) - 0) ** 2) / 18)
  const noon = Math.exp(-((hour - 12.5) ** 2) / 8) * (1 - season) * 0.5
  const wind = smoothNoise(halfHour / (1.7 * DAY_MS)) + 0.5 * smoothNoise(halfHour / (0.6 * DAY_MS))
  return Math.round(Math.max(25, 165 + 30 * season + 55 * evening - 25 * night - 45 * noon - 45 * wind))
}
