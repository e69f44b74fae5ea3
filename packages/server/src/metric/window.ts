import type { Zone } from '../lib/zone.ts'

export const CLOCK_INTERVALS = ['PT15M', 'PT30M', 'PT1H'] as const
export const CALENDAR_INTERVALS = ['P1D', 'P1W', 'P1M'] as const

export type ClockInterval = (typeof CLOCK_INTERVALS)[number]
export type CalendarInterval = (typeof CALENDAR_INTERVALS)[number]
export type Interval = ClockInterval | CalendarInterval

const MINUTE_MS = 60_000
const STEP_MS: Record<ClockInterval, number> = {
  PT15M: 15 * MINUTE_MS,
  PT30M: 30 * MINUTE_MS,
  PT1H: 60 * MINUTE_MS,
}

const isClockInterval = (interval: Interval): interval is ClockInterval => interval.startsWith('PT')

/**
 * The edges of the windows that cover [from, to): the first at or before `from`, the last at or after `to`. A window is
 * the half-open stretch between two neighbours. Clock windows run from one edge of the wall clock to the next that
 * exists, so a clock change that is no whole number of windows makes one shorter or longer; days, weeks and months are
 * those of the calendar in the zone.
 */
export const windowEdges = (zone: Zone, interval: Interval, from: number, to: number): number[] =>
  isClockInterval(interval)
    ? clockEdges(zone, STEP_MS[interval], from, to)
    : calendarEdges(zone, interval, from, to)

/** No clock change moves an edge by more than this. */
const MARGIN_MS = 26 * 60 * MINUTE_MS

function clockEdges(zone: Zone, step: number, from: number, to: number): number[] {
  const edges: number[] = []
  for (const stretch of zone.stretches(from - step - MARGIN_MS, to + step + MARGIN_MS)) {
    // The first edge of the stretch: where its wall clock is a multiple of the step.
    const intoStep = positiveModulo(stretch.from + stretch.offset, step)
    for (let at = stretch.from + (intoStep === 0 ? 0 : step - intoStep); at < stretch.to; at += step)
      edges.push(at)
  }
  return cut(edges, from, to)
}

function calendarEdges(zone: Zone, interval: CalendarInterval, from: number, to: number): number[] {
  const edges: number[] = []
  let date = firstDate(zone.dateAt(from), interval)
  // Where a day starts twice, or not at all, the date before is the one that has surely begun.
  if (zone.startOfDay(date) > from) date = firstDate(date.subtract({ days: 1 }), interval)
  for (;;) {
    const edge = zone.startOfDay(date)
    if (edge !== edges.at(-1)) edges.push(edge)
    if (edge >= to) return edges
    date = nextDate(date, interval)
  }
}

const firstDate = (date: Temporal.PlainDate, interval: CalendarInterval): Temporal.PlainDate => {
  if (interval === 'P1W') return date.subtract({ days: date.dayOfWeek - 1 })
  if (interval === 'P1M') return date.with({ day: 1 })
  return date
}

const nextDate = (date: Temporal.PlainDate, interval: CalendarInterval): Temporal.PlainDate => {
  if (interval === 'P1W') return date.add({ weeks: 1 })
  if (interval === 'P1M') return date.add({ months: 1 })
  return date.add({ days: 1 })
}

/** Keeps the last edge at or before `from`, those between, and the first at or after `to`. */
function cut(edges: number[], from: number, to: number): number[] {
  let start = 0
  while (start + 1 < edges.length && (edges[start + 1] ?? 0) <= from) start += 1
  let end = start
  while (end < edges.length - 1 && (edges[end] ?? 0) < to) end += 1
  return edges.slice(start, end + 1)
}

const positiveModulo = (value: number, by: number): number => ((value % by) + by) % by
