import type { FieldError } from '../../../kernel/errors.ts'
import { type Period, WEEKDAYS } from './schedule.ts'

const DAY_MINUTES = 24 * 60
const WEEK_MINUTES = 7 * DAY_MINUTES

/** HH:MM as minutes from midnight. */
export const toMinutes = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

interface PeriodMinutes {
  index: number
  start: number
  end: number
}

/** The spans of a week that a period covers, in minutes from Monday; one that crosses the end of Sunday is split. */
function splitAtWeekEnd(period: Period, index: number): PeriodMinutes[] {
  const start = toMinutes(period.start)
  const end = toMinutes(period.end)
  const length = end > start ? end - start : end + DAY_MINUTES - start
  return period.days.flatMap((day) => {
    const from = WEEKDAYS.indexOf(day) * DAY_MINUTES + start
    const to = from + length
    if (to <= WEEK_MINUTES) return [{ index, start: from, end: to }]
    return [
      { index, start: from, end: WEEK_MINUTES },
      { index, start: 0, end: to - WEEK_MINUTES },
    ]
  })
}

export function checkPeriods(
  periods: readonly Period[],
  limits: { minuteStep: number; maxPeriodsPerDay: number | undefined },
): FieldError[] {
  const errors: FieldError[] = []
  periods.forEach(({ start, end }, index) => {
    for (const [name, clock] of Object.entries({ start, end })) {
      if (toMinutes(clock) % limits.minuteStep !== 0) {
        errors.push({
          field: `periods.${index}.${name}`,
          code: 'off-step',
          message: `must be a multiple of ${limits.minuteStep} minutes`,
        })
      }
    }
  })
  return [...errors, ...overlaps(periods), ...tooMany(periods, limits.maxPeriodsPerDay)]
}

function overlaps(periods: readonly Period[]): FieldError[] {
  const spans = periods.flatMap(splitAtWeekEnd).toSorted((a, b) => a.start - b.start || a.index - b.index)
  const errors = new Map<number, FieldError>()
  let last: PeriodMinutes | undefined
  for (const span of spans) {
    if (last && span.start < last.end) {
      const [first, second] = [last.index, span.index].toSorted((a, b) => a - b)
      errors.set(second ?? 0, {
        field: `periods.${second}`,
        code: 'overlap',
        message: `overlaps periods.${first}`,
      })
    }
    if (!last || span.end > last.end) last = span
  }
  return [...errors.values()]
}

function tooMany(periods: readonly Period[], limit: number | undefined): FieldError[] {
  if (limit === undefined) return []
  const isOver = WEEKDAYS.some((day) => periods.filter(({ days }) => days.includes(day)).length > limit)
  return isOver
    ? [{ field: 'periods', code: 'too-many', message: `must be at most ${limit} per day for this device` }]
    : []
}
