import type { Zone } from '../lib/zone.ts'
import { firstDayOf, localDaysOf, monthOf } from './local-day.ts'

/** See `windowEdges`. */
export function calendarEdges(
  zone: Zone,
  interval: 'P1D' | 'P1W' | 'P1M',
  from: number,
  to: number,
): number[] {
  const days = localDaysOf(zone)
  const edges: number[] = []
  for (let day = firstDay(days.numberAt(from), interval); ; day = nextDay(day, interval)) {
    const edge = days.startOf(day)
    // A day that the zone skipped has no length.
    if (edge !== edges.at(-1)) edges.push(edge)
    if (edge >= to) return edges
  }
}

/** 1970-01-01 was a Thursday. */
const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7

const firstDay = (day: number, interval: 'P1D' | 'P1W' | 'P1M'): number => {
  if (interval === 'P1W') return day - weekdayOf(day)
  return interval === 'P1M' ? day - monthOf(day).index : day
}

const nextDay = (day: number, interval: 'P1D' | 'P1W' | 'P1M'): number => {
  if (interval === 'P1W') return day + 7
  return interval === 'P1M' ? firstDayOf(monthOf(day).month + 1) : day + 1
}
