import { type Interval, computeWindows } from '../oracles/windows.ts'

export interface Days {
  first: Temporal.PlainDate
  /** Exclusive. */
  end: Temporal.PlainDate
}

const startsAt: Partial<Record<Interval, (date: Temporal.PlainDate) => boolean>> = {
  P1D: () => true,
  P1W: ({ dayOfWeek }) => dayOfWeek === 1,
  P1M: ({ day }) => day === 1,
}

/** Edges of the windows that cover these days, in milliseconds: one more than there are windows. */
export function computeEdges(days: Days, interval: Interval, timeZone: string): number[] {
  const isStart = startsAt[interval]
  if (!isStart) {
    const [from, to] = [startOfDate(days.first, timeZone), startOfDate(days.end, timeZone)]
    return computeWindows(from, to, interval, timeZone).edges
  }
  let date = days.first
  while (!isStart(date)) date = date.subtract({ days: 1 })
  const edges = new Set<number>()
  for (; ; date = date.add({ days: 1 })) {
    if (!isStart(date)) continue
    // A day that the zone skipped begins where the next one does.
    edges.add(startOfDate(date, timeZone))
    if (Temporal.PlainDate.compare(date, days.end) >= 0) return [...edges]
  }
}

/** The first instant of a date. */
export function startOfDate(date: Temporal.PlainDate, timeZone: string): number {
  return date.toZonedDateTime(timeZone).epochMilliseconds
}
