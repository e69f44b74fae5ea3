import type { LocalDays } from '../../../calendar/local-day.ts'
import type { LatestReading } from '../reading/store.ts'

/** A day is closed this long after its end at the earliest: most of its readings have arrived by then. */
export const CLOSE_AFTER_MS = 10 * 60_000
/** From then on, readings that would complete the day are not awaited any longer. A silent device is offline by then. */
export const AWAIT_MS = 2 * 3_600_000

/** The days that events have reported, and what to close next. */
export interface NextClosing {
  /** The day to close; undefined if the site has not had a closed day, and its past is closed without an event. */
  day: number | undefined
  closedBefore: number
}

/**
 * What to close of a site now, one day at a time. A day is complete when every series that measured in it has a later
 * reading, from which its last window is interpolated, or when that is not awaited any longer.
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
