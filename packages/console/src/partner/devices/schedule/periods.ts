import type { Target, WeeklyPeriod } from '@portico/sdk'
import { type Limits, MAX_PERIODS, toClock, toMinutes, type Weekday, WEEKDAYS } from './limits.ts'

const DAY_MINUTES = 1440
const WEEK_MINUTES = 7 * DAY_MINUTES

interface Span {
  index: number
  start: number
  end: number
}

/** The spans of a week that a period covers, in minutes from Monday; one that crosses the end of Sunday is split. */
function toSpans({ days, start, end }: Omit<WeeklyPeriod, 'target'>, index: number): Span[] {
  const from = toMinutes(start)
  const to = toMinutes(end)
  const length = to > from ? to - from : to + DAY_MINUTES - from
  return days.flatMap((day) => {
    const begin = WEEKDAYS.indexOf(day) * DAY_MINUTES + from
    const finish = begin + length
    return finish <= WEEK_MINUTES
      ? [{ index, start: begin, end: finish }]
      : [
          { index, start: begin, end: WEEK_MINUTES },
          { index, start: 0, end: finish - WEEK_MINUTES },
        ]
  })
}

/** For each period that overlaps an earlier one, the index of that one. */
export function findOverlaps(periods: readonly Omit<WeeklyPeriod, 'target'>[]): Map<number, number> {
  const spans = periods.flatMap(toSpans).toSorted((a, b) => a.start - b.start || a.index - b.index)
  const overlaps = new Map<number, number>()
  let last: Span | undefined
  for (const span of spans) {
    if (last && span.start < last.end)
      overlaps.set(Math.max(last.index, span.index), Math.min(last.index, span.index))
    if (!last || span.end > last.end) last = span
  }
  return overlaps
}

/** Days on which a period cannot start, because others have used up the periods of the day. */
export const listFullDays = (
  periods: readonly WeeklyPeriod[],
  index: number,
  { maxPeriodsPerDay }: Pick<Limits, 'maxPeriodsPerDay'>,
): Weekday[] =>
  WEEKDAYS.filter(
    (day) =>
      periods.filter(({ days }, other) => other !== index && days.includes(day)).length >= maxPeriodsPerDay,
  )

const DAY_CHOICES: readonly (readonly Weekday[])[] = [
  ['mon', 'tue', 'wed', 'thu', 'fri'],
  ['sat', 'sun'],
  ...WEEKDAYS.map((day) => [day]),
]
const [FIRST_START, LENGTH] = [7 * 60, 2 * 60]

/** A new period in free time, preferably on weekdays in the morning; undefined if there is none. */
export function findFreePeriod(
  periods: readonly WeeklyPeriod[],
  limits: Pick<Limits, 'minuteStep' | 'maxPeriodsPerDay'>,
  target: Target,
): WeeklyPeriod | undefined {
  if (periods.length >= MAX_PERIODS) return undefined
  const { minuteStep } = limits
  const full = listFullDays(periods, periods.length, limits)
  const length = Math.ceil(LENGTH / minuteStep) * minuteStep
  for (const days of DAY_CHOICES) {
    if (days.some((day) => full.includes(day))) continue
    for (const start of listStarts(minuteStep, length)) {
      const period = { days: [...days], start: toClock(start), end: toClock(start + length), target }
      if (findOverlaps([...periods, period]).size === 0) return period
    }
  }
  return undefined
}

/** From 07:00 to the evening, then from midnight. */
function listStarts(minuteStep: number, length: number): number[] {
  const all: number[] = []
  for (let start = 0; start + length <= DAY_MINUTES; start += minuteStep) all.push(start)
  return [...all.filter((start) => start >= FIRST_START), ...all.filter((start) => start < FIRST_START)]
}
