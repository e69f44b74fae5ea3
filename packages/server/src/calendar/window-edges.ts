import { Windows } from './interval.ts'
import type { Zone } from './zone.ts'
import { firstDayOfMonth, getLocalDays, toMonth } from './local-day.ts'
import { clockEdges } from './clock-edges.ts'

export const CLOCK_INTERVALS = ['PT15M', 'PT30M', 'PT1H'] as const
export const CALENDAR_INTERVALS = ['P1D', 'P1W', 'P1M'] as const

type ClockInterval = (typeof CLOCK_INTERVALS)[number]
type CalendarInterval = (typeof CALENDAR_INTERVALS)[number]
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
 * the half-open span between two neighbours. Clock windows run from one edge of the wall clock to the next that exists,
 * so a clock change that is not a whole number of windows makes one shorter or longer. Days, weeks and months follow
 * the calendar of the zone.
 */
export const windowEdges = (zone: Zone, interval: Interval, from: number, to: number): number[] =>
  isClockInterval(interval)
    ? clockEdges(zone, STEP_MS[interval], from, to)
    : calendarEdges(zone, interval, from, to)

/** The windows that cover [from, to). See `windowEdges`. */
export const toWindows = (zone: Zone, interval: Interval, from: number, to: number): Windows =>
  new Windows(windowEdges(zone, interval, from, to))

/** See `windowEdges`. */
function calendarEdges(zone: Zone, interval: 'P1D' | 'P1W' | 'P1M', from: number, to: number): number[] {
  const days = getLocalDays(zone)
  const edges: number[] = []
  for (let day = firstDay(days.dayAt(from), interval); ; day = nextDay(day, interval)) {
    const edge = days.startOfDay(day)
    // A day that the zone skipped has length 0.
    if (edge !== edges.at(-1)) edges.push(edge)
    if (edge >= to) return edges
  }
}

/** 1970-01-01 was a Thursday. */
const toWeekday = (day: number): number => (((day + 3) % 7) + 7) % 7

const firstDay = (day: number, interval: 'P1D' | 'P1W' | 'P1M'): number => {
  if (interval === 'P1W') return day - toWeekday(day)
  return interval === 'P1M' ? day - toMonth(day).index : day
}

const nextDay = (day: number, interval: 'P1D' | 'P1W' | 'P1M'): number => {
  if (interval === 'P1W') return day + 7
  return interval === 'P1M' ? firstDayOfMonth(toMonth(day).month + 1) : day + 1
}
