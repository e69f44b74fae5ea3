import type { Reading } from '../clients/series.ts'

const quarter = 15 * 60_000

/**
 * Consumption of a register between adjacent edges. Its value at an edge is interpolated linearly between the adjacent
 * readings; a decrease is a roll-over if the register's size is known, otherwise a reset to 0. The readings must extend
 * beyond the first and the last edge.
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

/** The plain mean of all readings in a window, and the share of its quarter hours that have one. */
export function gaugeIn(
  readings: Reading[],
  start: number,
  end: number,
): { mean: number; min: number; max: number; coverage: number } | null {
  const inside = readings.filter(({ at }) => at >= start && at < end)
  if (inside.length === 0) return null
  const values = inside.map(({ value }) => value)
  const quarters = new Set(inside.map(({ at }) => Math.floor((at - start) / quarter)))
  return {
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    min: Math.min(...values),
    max: Math.max(...values),
    coverage: quarters.size / Math.ceil((end - start) / quarter),
  }
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
}

function increase(before: number, after: number, registerSize?: number): number {
  if (after >= before) return after - before
  return registerSize === undefined ? after : after + registerSize - before
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
