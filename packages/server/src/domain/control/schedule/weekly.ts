import type { Zone } from '../../../calendar/zone.ts'
import type { PlannedCommandWith } from './planned-command.ts'
import { type Target, WEEKDAYS } from './schedule.ts'
import { toMinutes } from './periods.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** 1970-01-01, day 0, was a Thursday; weeks begin on Monday. */
const WEEKDAY_OF_DAY_0 = 3

/** A period can extend into the next day, but no further. */
const DAYS_BACK = 1
/** Two whole weeks: a clock change can skip the only edge of one week, but not that of the next week too. */
const DAYS_AHEAD = 15

/** A weekly plan with its periods by weekday, in order. */
export interface WeeklyPlan {
  /** When the plan was accepted. It has no target before. */
  from: number
  zone: Zone
  default: Target
  days: readonly (readonly DayPeriod[])[]
}

interface DayPeriod {
  /** Wall-clock time since midnight. `endMs` may be in the next day. */
  startMs: number
  endMs: number
  target: Target
}

/** The target of the weekly plan from an instant until the next segment. */
export interface PlanSegment {
  at: number
  source: 'weekly' | 'default'
  target: Target
}

export const toWeeklyPlan = ({ createdAt, zone, schedule }: PlannedCommandWith<'weekly'>): WeeklyPlan => ({
  from: createdAt,
  zone,
  default: schedule.default,
  days: WEEKDAYS.map((day) =>
    schedule.periods
      .filter(({ days }) => days.includes(day))
      .map(({ start, end, target }) => {
        const startMs = toMinutes(start) * MINUTE_MS
        const endMs = toMinutes(end) * MINUTE_MS
        return { startMs, endMs: endMs > startMs ? endMs : endMs + DAY_MS, target }
      })
      .toSorted((a, b) => a.startMs - b.startMs),
  ),
})

interface PeriodSpan {
  from: number
  to: number
  target: Target
}

/** The periods that end after `t`, in order, without those that a clock change skips. */
function* periodsAfter({ zone, days }: WeeklyPlan, t: number): Generator<PeriodSpan> {
  const today = Math.floor((t + zone.offsetAt(t)) / DAY_MS)
  for (let day = today - DAYS_BACK; day <= today + DAYS_AHEAD; day += 1) {
    for (const { startMs, endMs, target } of days[(day + WEEKDAY_OF_DAY_0) % 7] ?? []) {
      const to = zone.toInstant(day * DAY_MS + endMs)
      if (to <= t) continue
      const from = zone.toInstant(day * DAY_MS + startMs)
      if (from < to) yield { from, to, target }
    }
  }
}

/**
 * The segment of the weekly plan at `t`, then those that follow, each beginning where a period starts or ends. Ends
 * after two weeks, within which every period has occurred.
 */
export function* segmentsFrom(weekly: WeeklyPlan, t: number): Generator<PlanSegment, void> {
  let at = t
  for (const { from, to, target } of periodsAfter(weekly, t)) {
    if (from > at) {
      yield { at, source: 'default', target: weekly.default }
      at = from
    }
    yield { at, source: 'weekly', target }
    at = to
  }
  if (at === t) yield { at, source: 'default', target: weekly.default }
}

/** The next start or end of a period after `t`; undefined for a plan without periods. */
export function nextBoundary(weekly: WeeklyPlan, t: number): number | undefined {
  for (const { at } of segmentsFrom(weekly, t)) if (at > t) return at
  return undefined
}
