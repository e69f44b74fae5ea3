import type { SiteModel } from '../../inventory/site-model.ts'
import { syntheticIntensity } from '../../carbon/synthetic.ts'
import type { Services } from '../services.ts'

/** Where weather and carbon are asked for. */
export interface Place {
  latitude: number | null
  longitude: number | null
  postcode: string | null
}

export interface Weather {
  temperature: number | null
  humidity: number | null
  windSpeed: number | null
  precipitation: number | null
  condition: string | null
  observedAt: number | null
  isSynthetic: boolean
}

export interface Intensity {
  from: number
  to: number
  gramsPerKwh: number | null
  index: string | null
  isForecast: boolean
  isSynthetic: boolean
}

export interface FuelShare {
  fuel: string
  percent: number
}

export interface Providers {
  weather: { current(place: Place): Promise<Weather> }
  carbon: {
    intensity(place: Place, from: number, to: number): Promise<readonly Intensity[]>
    mix(place: Place, at: number): Promise<readonly FuelShare[]>
  }
}

export const placeOf = ({ site }: SiteModel): Place => ({
  latitude: site.latitude,
  longitude: site.longitude,
  postcode: site.postcode,
})

const HALF_HOUR_MS = 1_800_000

const bandOf = (grams: number): string => {
  if (grams < 80) return 'very low'
  if (grams < 150) return 'low'
  if (grams < 220) return 'moderate'
  return grams < 300 ? 'high' : 'very high'
}

/** Made up and always the same: what an installation without a source of its own answers. */
export const providersOf = ({ clock }: Services): Providers => ({
  weather: {
    async current() {
      const now = clock.now()
      const year = Math.cos((2 * Math.PI * now) / (365.25 * 86_400_000))
      return {
        temperature: Math.round((11 - 7 * year) * 10) / 10,
        humidity: Math.round(75 + 8 * year),
        windSpeed: 4,
        precipitation: 0,
        condition: 'cloudy',
        observedAt: now - (now % HALF_HOUR_MS),
        isSynthetic: true,
      }
    },
  },
  carbon: {
    async intensity(_place, from, to) {
      const first = from - (from % HALF_HOUR_MS)
      const count = Math.max(1, Math.ceil((to - first) / HALF_HOUR_MS))
      return Array.from({ length: count }, (_, index) => {
        const at = first + index * HALF_HOUR_MS
        const gramsPerKwh = syntheticIntensity(at)
        return {
          from: at,
          to: at + HALF_HOUR_MS,
          gramsPerKwh,
          index: bandOf(gramsPerKwh),
          isForecast: at > clock.now(),
          isSynthetic: true,
        }
      })
    },
    async mix(_place, at) {
      const gas = Math.min(60, Math.round(syntheticIntensity(at) / 4))
      const wind = 70 - gas
      return [
        { fuel: 'gas', percent: gas },
        { fuel: 'wind', percent: wind },
        { fuel: 'nuclear', percent: 15 },
        { fuel: 'biomass', percent: 8 },
        { fuel: 'imports', percent: 7 },
      ]
    },
  },
})
