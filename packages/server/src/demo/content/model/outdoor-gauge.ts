import type { Gauge, Instrument } from './instrument.ts'
import { drift } from './noise.ts'
import { isOutdoors } from './outdoors.ts'

/** A sensor on the roof shows the weather; for one in a room there is nothing here. */
export function outdoorGauge(
  { premises: { weather }, room, seed }: Instrument,
  metric: 'temperature' | 'humidity',
): Gauge | undefined {
  if (!isOutdoors(room.space)) return undefined
  if (metric === 'temperature') return (index) => (weather.outdoor[index] ?? 0) + 0.3 * drift(seed, index)
  return (index) => {
    const dry = 34 * (weather.sun[index] ?? 0) * (1 - 0.6 * (weather.cloud[index] ?? 0))
    return Math.min(99, 79 + 9 * (weather.cloud[index] ?? 0) - dry + 6 * drift(seed, index / 30))
  }
}
