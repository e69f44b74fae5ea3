import type { LocalDays, SlotInterval } from '../../../calendar/local-day.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'

/**
 * The part of a window that one rolled-up cell can cover: a local day, or a slot of one. A `part` is smaller than any
 * rolled-up cell: a quarter hour, or the remainder before or after a device moved.
 */
export interface RollupUnit extends TimeSpan {
  kind: 'day' | 'slot' | 'part'
  day: number
  /** Index of a slot in its day. */
  index: number
}

/** Splits a span into as few units as possible: whole days, then whole slots, then parts. */
export function splitIntoUnits(
  days: LocalDays,
  interval: SlotInterval,
  { from, to }: TimeSpan,
): RollupUnit[] {
  const units: RollupUnit[] = []
  for (let at = from; at < to; ) {
    const day = days.dayAt(at)
    const unit = wholeDay(days, day, at, to) ?? slotOrPart(days, interval, day, at, to)
    units.push(unit)
    at = unit.to
  }
  return units
}

function wholeDay(days: LocalDays, day: number, at: number, to: number): RollupUnit | undefined {
  if (at !== days.startOfDay(day)) return undefined
  const end = days.startOfDay(day + 1)
  return end <= to ? { kind: 'day', day, index: 0, from: at, to: end } : undefined
}

function slotOrPart(
  days: LocalDays,
  interval: SlotInterval,
  day: number,
  at: number,
  to: number,
): RollupUnit {
  const edges = days.slots(day, interval)
  const index = lastAtOrBefore(edges, at)
  const end = edges[index + 1] ?? to
  if (edges[index] === at && end <= to) return { kind: 'slot', day, index, from: at, to: end }
  return { kind: 'part', day, index, from: at, to: Math.min(end, to) }
}

/** Index of the last edge at or before an instant, or -1. Starts from a guess: most edges are one step apart. */
function lastAtOrBefore(edges: readonly number[], at: number): number {
  const last = edges.length - 1
  const first = edges[0] ?? at
  const share = (at - first) / ((edges[last] ?? at) - first)
  let index = Math.max(0, Math.min(last, Math.floor(share * last)))
  while (index >= 0 && (edges[index] ?? Number.NaN) > at) index -= 1
  while (index < last && (edges[index + 1] ?? Number.NaN) <= at) index += 1
  return index
}
