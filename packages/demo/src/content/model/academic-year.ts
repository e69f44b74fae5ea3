import { at } from '@portico/server/kernel/at'
import { type Day, dayOfYear } from './grid.ts'

/** Flats are let for the academic year; most studios all year. */
export type Tenancy = 'flat' | 'studio'

/** [month, day, share of residents in residence], with linear interpolation. */
type Point = readonly [month: number, day: number, share: number]

const CURVES: Record<Tenancy, readonly Point[]> = {
  flat: [
    [1, 1, 0.22],
    [1, 4, 0.4],
    [1, 11, 0.92],
    [1, 18, 0.97],
    [5, 24, 0.96],
    [6, 6, 0.82],
    [6, 14, 0.45],
    [6, 24, 0.1],
    [7, 2, 0.04],
    [9, 6, 0.04],
    [9, 12, 0.25],
    [9, 20, 0.9],
    [9, 28, 0.98],
    [12, 10, 0.98],
    [12, 14, 0.72],
    [12, 20, 0.3],
    [12, 24, 0.14],
    [12, 31, 0.18],
  ],
  studio: [
    [1, 1, 0.45],
    [1, 11, 0.94],
    [6, 6, 0.92],
    [6, 24, 0.55],
    [7, 10, 0.3],
    [8, 28, 0.26],
    [9, 6, 0.35],
    [9, 20, 0.92],
    [9, 28, 0.97],
    [12, 12, 0.96],
    [12, 22, 0.42],
    [12, 31, 0.42],
  ],
}

/** Days relative to Easter Sunday, and the share of residents who stay. */
const EASTER: readonly (readonly [day: number, share: number])[] = [
  [-11, 1],
  [-6, 0.5],
  [1, 0.42],
  [11, 0.55],
  [16, 1],
]

/** Share of the residents in residence on each day. */
export function inResidence(tenancy: Tenancy, days: readonly Day[]): number[] {
  // Any year without 29 February will do: a day more or less is not noticeable.
  const points = CURVES[tenancy].map(([month, day, share]) => [dayOfYear(2025, month, day), share] as const)
  return days.map(
    (day) => between(points, day.dayOfYear) * between(EASTER, day.dayOfYear - computeEaster(day.year)),
  )
}

/** The academic year of a day: each one has new residents. */
export const toAcademicYear = (day: Day): number => (day.month >= 9 ? day.year : day.year - 1)

function between(points: readonly (readonly [x: number, y: number])[], x: number): number {
  let before = at(points, 0)
  for (const point of points) {
    if (point[0] >= x) {
      if (point[0] === before[0]) return point[1]
      return before[1] + ((point[1] - before[1]) * (x - before[0])) / (point[0] - before[0])
    }
    before = point
  }
  return before[1]
}

/** Day of the year of Easter Sunday (the anonymous Gregorian computus). */
function computeEaster(year: number): number {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const epact =
    (century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25) + 19 * golden + 15) % 30
  const moon =
    epact - Math.floor(epact / 28) * (1 - Math.floor(29 / (epact + 1)) * Math.floor((21 - golden) / 11))
  const weekday = (year + Math.floor(year / 4) + moon + 2 - century + Math.floor(century / 4)) % 7
  const offset = moon - weekday
  const month = 3 + Math.floor((offset + 40) / 44)
  return dayOfYear(year, month, offset + 28 - 31 * Math.floor(month / 4))
}
