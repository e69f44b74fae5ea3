import { float64At } from '@portico/server/kernel/at'
import { SLOTS_PER_DAY } from './grid.ts'
import type { Flow } from './instrument.ts'
import { uniform } from './noise.ts'

export interface RegisterOptions {
  seed: number
  /** Days that the model covers. */
  days: number
  /** The value at which the register returns to 0. */
  registerSize: number | undefined
  /** Indexes at which the register restarts at 0. */
  resets: readonly number[]
  /** Indexes at which the register falls a little, and counts on from there. */
  dips: readonly number[]
}

/** Thousandths by which a register falls. */
const DIP = 400

/**
 * A register counts the flow since the first half hour. The value at each day's start is cached, so that a reading
 * sums one day at most.
 */
export function createRegister(flow: Flow, { seed, days, registerSize, resets, dips }: RegisterOptions) {
  const dayStarts = new Float64Array(days + 1)
  // Counts left by commissioning.
  dayStarts[0] = Math.floor(40_000 * uniform(seed, -1))
  let knownDays = 0
  const size = registerSize === undefined ? Number.POSITIVE_INFINITY : Math.round(registerSize * 1000)

  const sum = (total: number, from: number, to: number): number => {
    let result = total
    for (let index = from; index < to; index += 1) result += flow(index)
    return result
  }

  /** Thousandths counted before an index. */
  const countedBefore = (index: number): number => {
    const day = Math.floor(index / SLOTS_PER_DAY)
    for (; knownDays < day; knownDays += 1) {
      const start = knownDays * SLOTS_PER_DAY
      dayStarts[knownDays + 1] = sum(float64At(dayStarts, knownDays), start, start + SLOTS_PER_DAY)
    }
    return sum(float64At(dayStarts, day), day * SLOTS_PER_DAY, index)
  }

  return {
    values(from: number, to: number): Float64Array {
      const values = new Float64Array(to - from)
      let counted = countedBefore(from)
      const last = resets.findLast((reset) => reset <= from)
      let base = last === undefined ? 0 : countedBefore(last)
      base += DIP * dips.filter((dip) => dip < from).length
      for (let index = from; index < to; index += 1) {
        if (resets.includes(index)) base = counted
        if (dips.includes(index)) base += DIP
        values[index - from] = ((counted - base) % size) / 1000
        counted += flow(index)
      }
      return values
    },
  }
}
