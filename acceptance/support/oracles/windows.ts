export type Interval = 'PT15M' | 'PT30M' | 'PT1H' | 'P1D' | 'P1W' | 'P1M'

export interface Windows {
  /** The start of each window in the API's format. */
  timestamps: string[]
  /** The edges in milliseconds: one more than there are windows. */
  edges: number[]
}

const quarter = 15 * 60_000
const minutes: Partial<Record<Interval, number>> = { PT15M: 15, PT30M: 30, PT1H: 60 }

/**
 * The windows that cover a range, by brute force: the local time of every quarter hour decides. (The offsets of the
 * zones in these tests are whole quarter hours.)
 */
export function computeWindows(from: number, to: number, interval: Interval, timeZone: string): Windows {
  let first = Math.floor(from / quarter) * quarter
  while (!isEdge(first, interval, timeZone)) first -= quarter
  const edges: number[] = []
  for (let at = first; ; at += quarter) {
    if (!isEdge(at, interval, timeZone)) continue
    edges.push(at)
    if (at >= to) break
  }
  return { edges, timestamps: edges.slice(0, -1).map((at) => toTimestamp(at, timeZone)) }
}

/** With seconds and a numeric offset, never `Z`. */
export function toTimestamp(epochMilliseconds: number, timeZone: string): string {
  return clockAt(epochMilliseconds, timeZone).toString({ timeZoneName: 'never', smallestUnit: 'second' })
}

function isEdge(at: number, interval: Interval, timeZone: string): boolean {
  const now = clockAt(at, timeZone)
  const step = minutes[interval]
  if (step !== undefined) return (now.hour * 60 + now.minute) % step === 0
  if (!isFirstOfDate(at, timeZone)) return false
  if (interval === 'P1W') return now.dayOfWeek === 1
  return interval === 'P1D' || now.month !== clockAt(at - quarter, timeZone).month
}

/** If the clocks go back over midnight, a date begins twice; only the first time counts. */
function isFirstOfDate(at: number, timeZone: string): boolean {
  const date = clockAt(at, timeZone).toPlainDate()
  const quartersBefore = [1, 2, 3, 4, 5, 6, 7, 8]
  return quartersBefore.every((count) => {
    const earlier = clockAt(at - count * quarter, timeZone).toPlainDate()
    return Temporal.PlainDate.compare(earlier, date) < 0
  })
}

function clockAt(epochMilliseconds: number, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(epochMilliseconds).toZonedDateTimeISO(timeZone)
}
