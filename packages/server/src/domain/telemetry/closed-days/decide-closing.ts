import type { LocalDays } from '../../../calendar/local-day.ts'
import type { LatestReading } from '../reading/store.ts'

/** A day is closed at the earliest this long after its end: most of its readings have arrived by then. */
export const CLOSE_AFTER_MS = 10 * 60_000
/** How long after the end of a day the readings that complete it are awaited. A silent device is offline by then. */
export const AWAIT_MS = 2 * 3_600_000

/** The end of the days that events have reported, and the day to close next. */
export interface NextClosing {
  /** The day to close; undefined if the site has not had a closed day, and its past is closed without an event. */
  day: number | undefined
  closedBefore: number
}

/**
 * The next day of a site to close. A day is complete when every series that measured in it has a later reading, from
 * which its last window is interpolated, or when that reading is no longer awaited.
 */
export function findNextClosing(
  days: LocalDays,
  closedBefore: number,
  latest: Iterable<LatestReading>,
  now: number,
): NextClosing | undefined {
  if (closedBefore === 0) return { day: undefined, closedBefore: days.startOfDay(days.dayAt(now - AWAIT_MS)) }
  const day = days.dayAt(closedBefore)
  const end = days.startOfDay(day + 1)
  if (now < end + CLOSE_AFTER_MS) return undefined
  if (now < end + AWAIT_MS) {
    const start = days.startOfDay(day)
    for (const { at } of latest) if (at >= start && at < end) return undefined
  }
  return { day, closedBefore: end }
}
