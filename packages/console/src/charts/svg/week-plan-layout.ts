import type { Target, WeeklySchedule } from '@portico/sdk'

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export const DAY_NAMES: Record<Day, string> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
}

export type Day = (typeof DAYS)[number]

export const MINUTES_OF_DAY = 24 * 60

/** A part of a day with one target. */
export interface PlanSegment {
  day: Day
  /** Minutes after midnight. */
  from: number
  to: number
  target: Target
  isDefault: boolean
}

/** The whole week without gaps: outside of all periods, the default target is in effect. */
export function layOutWeekPlan(plan: Pick<WeeklySchedule, 'default' | 'periods'>): PlanSegment[] {
  const periods = plan.periods.flatMap(({ days, start, end, target }) =>
    days.flatMap((day) => splitAtMidnight(day, parseClock(start), parseClock(end), target)),
  )
  return DAYS.flatMap((day) =>
    fillDay(
      day,
      periods.filter((segment) => segment.day === day).toSorted((a, b) => a.from - b.from),
      plan.default,
    ),
  )
}

function parseClock(text: string): number {
  const [hour = 0, minute = 0] = text.split(':').map(Number)
  return hour * 60 + minute
}

/** A period ends on the next day if its end is not after its start. */
function splitAtMidnight(day: Day, from: number, to: number, target: Target): PlanSegment[] {
  if (to > from) return [{ day, from, to, target, isDefault: false }]
  const next = DAYS[(DAYS.indexOf(day) + 1) % DAYS.length] ?? 'mon'
  return [
    { day, from, to: MINUTES_OF_DAY, target, isDefault: false },
    ...(to > 0 ? [{ day: next, from: 0, to, target, isDefault: false }] : []),
  ]
}

function fillDay(day: Day, periods: readonly PlanSegment[], target: Target): PlanSegment[] {
  const segments: PlanSegment[] = []
  let minute = 0
  for (const period of periods) {
    if (period.from > minute) segments.push({ day, from: minute, to: period.from, target, isDefault: true })
    segments.push(period)
    minute = period.to
  }
  if (minute < MINUTES_OF_DAY)
    segments.push({ day, from: minute, to: MINUTES_OF_DAY, target, isDefault: true })
  return segments
}

export function formatMinute(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}

/** A target in words: `21 °C`, `on`, `heat, 21 °C`. */
export function formatTarget({ mode, power, temperature }: Target): string {
  const parts = [mode, power, temperature === undefined ? undefined : `${temperature} °C`]
  return parts.filter((part) => part !== undefined).join(', ') || 'no target'
}

/** Shades of the plan, from the lowest temperature to the highest. */
const PLAN_SHADES = 4

/** The shade of each target: by temperature if the plan has temperatures, else the default is the lightest. */
export function toPlanShade(segment: PlanSegment, segments: readonly PlanSegment[]): number {
  const { mode, power, temperature } = segment.target
  if (power === 'off' || mode === 'off') return 0
  if (temperature === undefined) return power === 'on' || !segment.isDefault ? PLAN_SHADES - 1 : 0
  const temperatures = segments.flatMap(({ target }) => target.temperature ?? [])
  const [low, high] = [Math.min(...temperatures), Math.max(...temperatures)]
  return high === low ? 1 : Math.round(((temperature - low) / (high - low)) * (PLAN_SHADES - 1))
}
