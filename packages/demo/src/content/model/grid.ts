import { getZone } from '@portico/server/calendar/zone'

/** Half-hour slots since the first one, and the corresponding local time. */

export const HALF_HOUR_MS = 1_800_000
export const SLOTS_PER_DAY = 48
const DAY_MS = 86_400_000

/** The first half hour of every series: the house opens for its first academic year. */
const EPOCH_MS = Date.UTC(2024, 8, 1)

export interface Day {
  year: number
  /** 1..12 */
  month: number
  /** 1..31 */
  dayOfMonth: number
  /** 0 on 1 January. */
  dayOfYear: number
  /** 0 on Monday. */
  weekday: number
}

export interface Grid {
  /** Half hours covered. */
  count: number
  /** Local half-hour slot since midnight of `days[0]`, for each half hour of UTC. */
  wallSlots: Int32Array
  /** Calendar days in the site's time zone that cover every local slot. */
  days: Day[]
}

export const toInstant = (index: number): number => EPOCH_MS + index * HALF_HOUR_MS

/** The first half hour at or after an instant. */
export const indexFrom = (at: number): number => Math.ceil((at - EPOCH_MS) / HALF_HOUR_MS)

/** The index of the half hour that starts at this time in UTC. */
export const indexOfUtc = (year: number, month: number, day: number, hour: number): number =>
  indexFrom(Date.UTC(year, month - 1, day, hour))

export function createGrid(timeZone: string, count: number): Grid {
  const wallSlots = new Int32Array(count)
  for (const { from, to, offset } of getZone(timeZone).offsetPeriods(EPOCH_MS, toInstant(count))) {
    const shift = offset / HALF_HOUR_MS
    const end = indexFrom(to)
    for (let index = indexFrom(from); index < end; index += 1) wallSlots[index] = index + shift
  }
  const dayCount = Math.ceil(count / SLOTS_PER_DAY) + 1
  return { count, wallSlots, days: Array.from({ length: dayCount }, (_, day) => toDay(day)) }
}

function toDay(day: number): Day {
  const date = new Date(EPOCH_MS + day * DAY_MS)
  const year = date.getUTCFullYear()
  return {
    year,
    month: date.getUTCMonth() + 1,
    dayOfMonth: date.getUTCDate(),
    dayOfYear: dayOfYear(year, date.getUTCMonth() + 1, date.getUTCDate()),
    weekday: (date.getUTCDay() + 6) % 7,
  }
}

export const dayOfYear = (year: number, month: number, day: number): number =>
  (Date.UTC(year, month - 1, day) - Date.UTC(year, 0, 1)) / DAY_MS
