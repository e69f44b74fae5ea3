import { at } from '@portico/server/kernel/at'
import { indexOfUtc, SLOTS_PER_DAY } from './grid.ts'
import type { Gauge, Instrument } from './instrument.ts'
import { uniform } from './noise.ts'

/**
 * Remaining percentage. Batteries are replaced in August, when the house is empty; they discharge at different rates.
 */
export function batteryGauge({ premises: { grid }, seed }: Instrument): Gauge {
  const perDay = 0.06 + 0.17 * uniform(seed, 11) ** 2
  const changed = [0]
  const [first, last] = [at(grid.days, 0).year, at(grid.days, grid.days.length - 1).year]
  for (let year = first + 1; year <= last; year += 1) {
    changed.push(indexOfUtc(year, 8, 4 + Math.floor(20 * uniform(seed, 12)), 9))
  }
  return (index) => {
    let since = 0
    for (const change of changed) if (change <= index) since = change
    return Math.max(4, 100 - (perDay * (index - since)) / SLOTS_PER_DAY)
  }
}
