import { float64At, numberAt } from '../../../kernel/at.ts'
import {
  isImplausible,
  type MeterReadings,
  missingMeterCell,
  NONE_UNREAD,
  ONE_UNREAD,
  roundSum,
} from './cell.ts'
import type { Readings } from './packed-day.ts'
import { round6 } from './window-value.ts'

export interface RegisterRules {
  /** The value at which the register rolls over to 0; null if it is not known. */
  registerSize: number | null
  /** Above this rate, an increase is implausible. */
  maxPerHour: number | null
}

/**
 * Consumption from a meter's register. The register at a window's edge is interpolated between the neighbouring
 * readings, and a window's consumption is the difference between its edges. The windows of any range therefore add up
 * to the difference between the last and the first register, corrected for roll-overs, resets and dips.
 */
export function readRegister({ timestamps, values }: Readings, rules: RegisterRules): MeterReadings {
  const count = timestamps.length
  if (count < 2) return { cell: ({ from, to }) => missingMeterCell(to - from) }
  /** The correction for roll-overs, resets and dips, from each reading on. */
  const added = new Float64Array(count)
  for (let index = 1; index < count; index += 1) {
    const before = numberAt(values, index - 1)
    added[index] =
      float64At(added, index - 1) + correctFall(before, numberAt(values, index), rules.registerSize)
  }
  const time = (index: number): number => numberAt(timestamps, index)
  /** The increase up to the next reading. Depends on these two only, so that it does not matter what else is loaded. */
  const risenAfter = (index: number): number => {
    const [before, after] = [numberAt(values, index), numberAt(values, index + 1)]
    return after + correctFall(before, after, rules.registerSize) - before
  }
  const first = time(0)
  const last = time(count - 1)

  /** The most recent result: windows are requested in order. */
  let recent = 0

  /** Index of the last reading at or before `at`. */
  const before = (at: number): number => {
    let low = time(recent) <= at ? recent : 0
    for (const near = low + 3; low < near; low += 1)
      if (low === count - 1 || time(low + 1) > at) return (recent = low)
    let high = count - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (time(middle) <= at) low = middle
      else high = middle - 1
    }
    return (recent = low)
  }

  /** The register at an instant, rounded, so that the rounded values of neighbouring windows add up. */
  const registerAt = (at: number, index: number): number => {
    const start = time(index)
    if (at === start || index === count - 1) return round6(numberAt(values, index)) + float64At(added, index)
    const share = (at - start) / (time(index + 1) - start)
    return round6(numberAt(values, index) + risenAfter(index) * share) + float64At(added, index)
  }

  const isSuspect = (from: number, to: number, start: number): boolean => {
    for (let index = start; index < count - 1 && time(index) < to; index += 1) {
      if (time(index + 1) <= from) continue
      if (isDip(numberAt(values, index), numberAt(values, index + 1), rules.registerSize)) return true
      const lengthMs = time(index + 1) - time(index)
      if (isImplausible(roundSum(risenAfter(index)), lengthMs, rules.maxPerHour)) return true
    }
    return false
  }

  return {
    cell(span) {
      const from = Math.max(span.from, first)
      const to = Math.min(span.to, last)
      const lengthMs = span.to - span.from
      if (from >= to) return missingMeterCell(lengthMs)
      const start = before(from)
      const end = before(to)
      const hasReading = time(start) === from || end > start + (time(end) === to ? 1 : 0)
      return {
        // The difference of a dip may be a negative 0.
        value: round6(registerAt(to, end) - registerAt(from, start)) + 0,
        gapMs: lengthMs - (to - from),
        unread: hasReading ? NONE_UNREAD : ONE_UNREAD,
        isSuspect: isSuspect(from, to, start),
      }
    },
  }
}

type Fall = 'none' | 'roll-over' | 'reset' | 'dip'

/**
 * Classifies a lower reading by the two neighbouring readings alone. A roll-over is a short distance forward over the
 * top of the register; a reset leaves less than half of the last value; anything else is a dip.
 */
function classifyFall(before: number, after: number, registerSize: number | null): Fall {
  if (after >= before) return 'none'
  if (registerSize !== null) {
    const forward = after + turns(before - after, registerSize) * registerSize - before
    if (forward <= registerSize / 2) return 'roll-over'
  }
  return after < before / 2 ? 'reset' : 'dip'
}

/** Whole turns of the register that explain a fall. */
const turns = (fall: number, registerSize: number): number => Math.ceil(fall / registerSize)

const isDip = (before: number, after: number, registerSize: number | null): boolean =>
  classifyFall(before, after, registerSize) === 'dip'

/** The correction of a reading that makes its difference to the previous reading the consumption in between. */
function correctFall(before: number, after: number, registerSize: number | null): number {
  const fall = classifyFall(before, after, registerSize)
  if (fall === 'none') return 0
  if (fall === 'roll-over' && registerSize !== null) return registerSize * turns(before - after, registerSize)
  // After a reset, the register counts from 0; a dip counts as 0.
  return fall === 'reset' ? before : before - after
}
