import type { Reading } from '../clients/series.ts'

const hour = 60 * 60_000

/**
 * Consumption of a register between adjacent edges. Its value at an edge is interpolated linearly between the adjacent
 * readings; a decrease is a roll-over, a reset to 0 or a dip. The readings must extend beyond the first and the last
 * edge.
 */
export function countedBetween(readings: Reading[], edges: number[], registerSize?: number): number[] {
  const counted: Reading[] = []
  let total = 0
  for (const [index, reading] of readings.entries()) {
    const before = readings[index - 1]
    if (before) total += increase(before.value, reading.value, registerSize)
    counted.push({ at: reading.at, value: total })
  }
  const totals = edges.map((edge) => valueAt(counted, edge))
  return totals.slice(1).map((value, index) => value - (totals[index] ?? Number.NaN))
}

/**
 * The plain mean of all readings in a window, and the share of the window within an hour after a reading. Without a
 * reading in the window, the last one of each sensor is valid for that hour.
 */
export function gaugeIn(
  sensors: Reading[][],
  start: number,
  end: number,
): { mean: number; min: number; max: number; coverage: number } | null {
  const readings = sensors.flat().toSorted((a, b) => a.at - b.at)
  const inside = readings.filter(({ at }) => at >= start && at < end)
  const standing = sensors.flatMap((own) => own.findLast(({ at }) => at < start && at + hour > start) ?? [])
  const values = (inside.length > 0 ? inside : standing).map(({ value }) => value)
  if (values.length === 0) return null
  let covered = 0
  let until = start
  for (const { at } of readings) {
    const [from, to] = [Math.max(at, until), Math.min(at + hour, end)]
    if (from < to) covered += to - from
    until = Math.max(until, to)
  }
  return {
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    min: Math.min(...values),
    max: Math.max(...values),
    coverage: covered / (end - start),
  }
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
}

function increase(before: number, after: number, registerSize?: number): number {
  if (after >= before) return after - before
  const overTheTop = registerSize === undefined ? Infinity : after + registerSize - before
  if (registerSize !== undefined && overTheTop <= registerSize / 2) return overTheTop
  return after < before / 2 ? after : 0
}

function valueAt(counted: Reading[], instant: number): number {
  const next = counted.findIndex(({ at }) => at >= instant)
  const right = counted[next]
  if (right?.at === instant) return right.value
  const left = counted[next - 1]
  if (!left || !right) return Number.NaN
  const share = (instant - left.at) / (right.at - left.at)
  return left.value + share * (right.value - left.value)
}
