import type { Clock } from '../../../kernel/clock.ts'
import { HALF_HOUR_MS, startOfHalfHour, halfHoursIn } from './half-hour.ts'
import type { CarbonIntensity, CarbonProvider, IntensityIndex, FuelShare } from './provider.ts'
import { smoothNoise } from '../smooth-noise.ts'

const DAY_MS = 86_400_000
const YEAR_MS = 365.25 * DAY_MS

export const SYNTHETIC_INTENSITY: CarbonIntensity = { gramsAt: syntheticIntensity, isSyntheticAt: () => true }

/** A synthetic grid, identical for every location, for installations without a live source. Calls no service. */
export const syntheticCarbon = (clock: Clock): CarbonProvider => ({
  async intensity(_place, from, to) {
    const now = clock.now()
    return halfHoursIn(from, to).map((start) => {
      const gramsPerKwh = syntheticIntensity(start)
      return {
        from: start,
        to: start + HALF_HOUR_MS,
        gramsPerKwh,
        index: toIntensityIndex(gramsPerKwh),
        isForecast: start + HALF_HOUR_MS > now,
        isSynthetic: true,
        isStale: false,
      }
    })
  },

  async mix(_place, at) {
    const from = startOfHalfHour(at)
    return { from, to: from + HALF_HOUR_MS, fuels: syntheticFuels(from), isSynthetic: true, isStale: false }
  },

  forEmissions: async () => SYNTHETIC_INTENSITY,
})

function toIntensityIndex(gramsPerKwh: number): IntensityIndex {
  if (gramsPerKwh < 50) return 'very low'
  if (gramsPerKwh < 120) return 'low'
  if (gramsPerKwh < 200) return 'moderate'
  return gramsPerKwh < 280 ? 'high' : 'very high'
}

/** Nearly constant shares, in tenths of a percent, and their intensity in grams per kilowatt hour. */
const STEADY = {
  nuclear: { share: 120, grams: 0 },
  imports: { share: 80, grams: 150 },
  biomass: { share: 50, grams: 120 },
  hydro: { share: 10, grams: 0 },
  other: { share: 5, grams: 300 },
  coal: { share: 0, grams: 937 },
} as const

const GAS_GRAMS = 394

const steadyShare = Object.values(STEADY).reduce((sum, { share }) => sum + share, 0)
const steadyGrams = Object.values(STEADY).reduce((sum, { share, grams }) => sum + (share * grams) / 1000, 0)

/** A mix that results in the synthetic intensity: as much gas as that takes, solar by day, and wind for the rest. */
function syntheticFuels(at: number): FuelShare[] {
  const free = 1000 - steadyShare
  const gas = clamp(Math.round((1000 * (syntheticIntensity(at) - steadyGrams)) / GAS_GRAMS), 0, free)
  const solar = Math.round((free - gas) * 0.6 * sunAt(at))
  const tenths = {
    gas,
    wind: free - gas - solar,
    solar,
    ...Object.fromEntries(Object.entries(STEADY).map(([fuel, { share }]) => [fuel, share])),
  }
  return Object.entries(tenths).map(([fuel, share]) => ({ fuel, percent: share / 10 }))
}

/** 0 at night, 1 at noon in midsummer. */
function sunAt(at: number): number {
  const hour = (at % DAY_MS) / 3_600_000
  const summer = 0.5 - 0.5 * Math.cos((2 * Math.PI * (at + 10 * DAY_MS)) / YEAR_MS)
  const half = 4 + 4 * summer
  const height = Math.cos(((hour - 12.5) / half) * (Math.PI / 2))
  return Math.abs(hour - 12.5) < half ? height * (0.25 + 0.75 * summer) : 0
}

const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value))

/**
 * A plausible synthetic carbon intensity of a grid with wind, solar and gas, for installations without a live source:
 * higher in winter and at the evening peak, lower at night and at sunny noons, with slowly changing weather.
 * Deterministic for an instant.
 */
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
