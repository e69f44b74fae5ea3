import type { Zone } from './zone.ts'
import { firstDayOfMonth, getLocalDays, toMonth } from './local-day.ts'

/** See `windowEdges`. */
export function calendarEdges(
  zone: Zone,
  interval: 'P1D' | 'P1W' | 'P1M',
  from: number,
  to: number,
): number[] {
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
