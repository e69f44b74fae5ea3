import type { FuelShare } from './provider.ts'
import { syntheticIntensity } from './synthetic-intensity.ts'

const DAY_MS = 86_400_000
const YEAR_MS = 365.25 * DAY_MS

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
export function syntheticFuels(at: number): FuelShare[] {
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
