import { float32At } from '@portico/server/kernel/at'
import type { MeasuredMetric } from '@portico/server/domain/metric/catalogue'
import { electricityFlow } from './electricity.ts'
import type { Flow, Instrument } from './instrument.ts'
import { drift } from './noise.ts'
import { coldLitres, hotLitres, laundryLitres } from './water.ts'

export type MeteredMetric = Extract<
  MeasuredMetric,
  'electricity' | 'gas' | 'water' | 'hotwater' | 'heating' | 'cooling' | 'solar'
>

const BOILER_EFFICIENCY = 0.88
const GAS_KWH_PER_M3 = 11.1
/** Energy to heat a litre from the mains temperature. */
const HOT_WATER_KWH_PER_LITRE = 0.052
/** Losses of the hot-water circulation, whatever the use: kWh in a half hour. */
const CIRCULATION_KWH = 1.1
const SOLAR_KWP = 36

export const FLOWS: Record<MeteredMetric, (meter: Instrument) => Flow> = {
  electricity: electricityFlow,
  gas: ({ premises }) => {
    const litres = hotLitres(premises.lives)
    return (index) =>
      (float32At(premises.siteHeat, index) + litres(index) * HOT_WATER_KWH_PER_LITRE + CIRCULATION_KWH) /
      (BOILER_EFFICIENCY * GAS_KWH_PER_M3)
  },
  water: ({ premises, room }) => {
    const litres = room.lives.length > 0 ? coldLitres(room.lives) : laundryLitres(premises, room)
    return (index) => litres(index) / 1000
  },
  hotwater: ({ premises, room }) => {
    // A flat's meter counts the flat; the cylinder in the plant room counts the studios, which have no meters.
    const litres = hotLitres(room.lives.length > 0 ? room.lives : premises.studioLives)
    return (index) => litres(index) / 1000
  },
  heating: ({ premises, room }) => {
    const heat = premises.clusterHeat.get(room.space.clusterUuid ?? '') ?? premises.siteHeat
    return (index) => float32At(heat, index)
  },
  cooling:
    ({ room }) =>
    (index) =>
      float32At(room.coolingKwh, index),
  solar: ({ premises: { weather }, seed }) => {
    return (index) => {
      const clearness = 1 - 0.76 * float32At(weather.cloud, index)
      const flicker = 0.93 + 0.07 * drift(seed, index * 1.3)
      return (SOLAR_KWP / 2) * float32At(weather.sun, index) ** 1.2 * clearness * flicker
    }
  },
}

export const isMetered = (metric: MeasuredMetric): metric is MeteredMetric => Object.hasOwn(FLOWS, metric)
