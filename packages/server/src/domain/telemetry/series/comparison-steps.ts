import { at } from '../../../kernel/at.ts'
import { type TimeSpan, Windows } from '../../../calendar/interval.ts'
import { type Interval, toWindows } from '../../../calendar/window-edges.ts'
import type { Zone } from '../../../calendar/zone.ts'
import type { Range } from './range.ts'

/**
 * Steps are the parts of a comparison that can be left out: hours for series of hours and shorter windows, days for
 * series of days and longer ones. The last step of a period that is not over ends now.
 */
export const toSteps = (zone: Zone, interval: Interval, { from, to }: TimeSpan): Windows =>
  new Windows(stepEdges(zone, interval, { from, to }))

function stepEdges(zone: Zone, interval: Interval, { from, to }: TimeSpan): number[] {
  const steps = toWindows(zone, isClock(interval) ? 'PT1H' : 'P1D', from, to)
  const starts = Array.from(steps, (step) => step.from)
  return [from, ...starts.filter((start) => start > from && start < to), to]
}

const isClock = (interval: Interval): interval is 'PT15M' | 'PT30M' | 'PT1H' => interval.startsWith('PT')

/** The steps of a range and of the past that it is compared with. */
export interface PairedSteps {
  current: Windows
  past: Windows
  /** For each step of the past, the index of the corresponding step of the range; undefined if there is none. */
  counterparts: readonly (number | undefined)[]
}

/** Undefined if there is no such past, as before a day that the zone skipped. */
export function pairWithPast(
  compareTo: 'previousPeriod' | 'previousYear',
  zone: Zone,
  interval: Interval,
  range: Range,
): PairedSteps | undefined {
  if (compareTo === 'previousPeriod' && !isClock(interval)) return pairWindows(zone, interval, range)
  const toZoned = zonedIn(zone)
  // Measured in whole days as far as possible, so that a clock change in between does not shift the span.
  const length =
    compareTo === 'previousYear'
      ? Temporal.Duration.from({ years: 1 })
      : toZoned(range.from).until(toZoned(range.to), { largestUnit: 'days' })
  const edges = stepEdges(zone, interval, { from: range.from, to: range.until })
  const past: number[] = []
  const counterparts: number[] = []
  for (const [index, edge] of edges.entries()) {
    const earlier = toZoned(edge).subtract(length).epochMilliseconds
    // Two edges can fall on the same instant of the past: after 29 February, and where the clocks were put forward.
    if (earlier <= (past.at(-1) ?? Number.NEGATIVE_INFINITY)) continue
    if (past.length > 0) counterparts.push(index - 1)
    past.push(earlier)
  }
  return past.length < 2 ? undefined : { current: new Windows(edges), past: new Windows(past), counterparts }
}

const zonedIn =
  (zone: Zone) =>
  (instant: number): Temporal.ZonedDateTime =>
    Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone.name)

const UNITS = { P1D: 'days', P1W: 'weeks', P1M: 'months' } as const

/**
 * Pairs each window of days, weeks or months with the one as many windows earlier as the range has, day by day. The
 * current window is paired with the same elapsed part of its predecessor. Months differ in length: days without a
 * counterpart count on one side only.
 */
function pairWindows(
  zone: Zone,
  interval: Exclude<Interval, 'PT15M' | 'PT30M' | 'PT1H'>,
  { windows, until }: Range,
): PairedSteps | undefined {
  const toZoned = zonedIn(zone)
  const toPast = (instant: number): Temporal.PlainDate =>
    toZoned(instant)
      .toPlainDate()
      .subtract({ [UNITS[interval]]: windows.length })
  const startOf = (date: Temporal.PlainDate): number => date.toZonedDateTime(zone.name).epochMilliseconds
  const current: number[] = [windows.whole.from]
  const past: number[] = [startOf(toPast(windows.whole.from))]
  const counterparts: (number | undefined)[] = []
  for (const { from, to } of windows) {
    if (from >= until) break
    const first = toPast(from)
    const pastFrom = startOf(first)
    let pastTo = startOf(first.add({ [UNITS[interval]]: 1 }))
    if (until < to) {
      const elapsed = toZoned(from).until(toZoned(until), { largestUnit: 'days' })
      pastTo = Math.min(pastTo, toZoned(pastFrom).add(elapsed).epochMilliseconds)
    }
    const own = stepEdges(zone, interval, { from, to: Math.min(to, until) }).slice(1)
    const firstIndex = current.length - 1
    current.push(...own)
    if (pastTo <= pastFrom || pastFrom < at(past, past.length - 1)) continue
    for (const [index, edge] of stepEdges(zone, interval, { from: pastFrom, to: pastTo })
      .slice(1)
      .entries()) {
      past.push(edge)
      counterparts.push(index < own.length ? firstIndex + index : undefined)
    }
  }
  return past.length < 2
    ? undefined
    : { current: new Windows(current), past: new Windows(past), counterparts }
}
