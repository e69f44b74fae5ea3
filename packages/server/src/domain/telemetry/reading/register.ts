import { float64At, numberAt } from '../../../kernel/at.ts'
import { type MeterReadings, missingMeterCell, NONE_UNREAD, ONE_UNREAD } from './cell.ts'
import type { Readings } from './packed-day.ts'
import { round6 } from './window-value.ts'

export interface RegisterRules {
  /** The value at which the register rolls over to 0; if null, a decrease is a reset to 0. */
  registerSize: number | null
  /** Above this rate, an increase is implausible. */
  maxPerHour: number | null
}

const HOUR_MS = 3_600_000

/**
 * Consumption from a meter's register. The register at a window's edge is interpolated between the neighbouring readings,
 * and a window's consumption is the difference between its edges. The windows of any range therefore add up to the
 * difference between the last and the first register, corrected for resets and roll-overs.
 */
export function readRegister({ timestamps, values }: Readings, rules: RegisterRules): MeterReadings {
  const count = timestamps.length
  if (count < 2) return { cell: ({ from, to }) => missingMeterCell(to - from) }
  /** The correction for resets and roll-overs, from each reading on. */
  const added = new Float64Array(count)
  for (let index = 1; index < count; index += 1) {
    const before = numberAt(values, index - 1)
    added[index] =
      float64At(added, index - 1) + jumpAdded(before, numberAt(values, index), rules.registerSize)
  }
  const time = (index: number): number => numberAt(timestamps, index)
  /** The increase up to the next reading. Depends on these two only, so that it does not matter what else is loaded. */
  const risenAfter = (index: number): number => {
    const [before, after] = [numberAt(values, index), numberAt(values, index + 1)]
    return after + jumpAdded(before, after, rules.registerSize) - before
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
    if (rules.maxPerHour === null) return false
    for (let index = start; index < count - 1 && time(index) < to; index += 1) {
      if (time(index + 1) <= from) continue
      const hours = (time(index + 1) - time(index)) / HOUR_MS
      if (risenAfter(index) / hours > rules.maxPerHour) return true
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
        value: round6(registerAt(to, end) - registerAt(from, start)),
        gapMs: lengthMs - (to - from),
        unread: hasReading ? NONE_UNREAD : ONE_UNREAD,
        isSuspect: isSuspect(from, to, start),
      }
    },
  }
}

function jumpAdded(before: number, after: number, registerSize: number | null): number {
  const fall = before - after
  if (fall <= 0) return 0
  return registerSize === null ? before : registerSize * Math.ceil(fall / registerSize)
}
