import type { Clock } from '../../../kernel/clock.ts'
import { HALF_HOUR_MS, startOfHalfHour, halfHoursIn } from './half-hour.ts'
import type { CarbonIntensity, CarbonProvider, IntensityIndex } from './provider.ts'
import { syntheticIntensity } from './synthetic-intensity.ts'
import { syntheticFuels } from './synthetic-mix.ts'

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
