import { float32At } from '@portico/server/kernel/at'
import type { Gauge, Instrument } from './instrument.ts'
import { drift } from './noise.ts'
import { isOutdoors } from './outdoors.ts'

/** The weather for a sensor on the roof; undefined for a sensor in a room. */
export function outdoorGauge(
  { premises: { weather }, room, seed }: Instrument,
  metric: 'temperature' | 'humidity',
): Gauge | undefined {
  if (!isOutdoors(room.space)) return undefined
  if (metric === 'temperature') return (index) => float32At(weather.outdoor, index) + 0.3 * drift(seed, index)
  return (index) => {
    const dry = 34 * float32At(weather.sun, index) * (1 - 0.6 * float32At(weather.cloud, index))
    return Math.min(99, 79 + 9 * float32At(weather.cloud, index) - dry + 6 * drift(seed, index / 30))
  }
}
