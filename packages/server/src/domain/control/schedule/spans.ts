import type { TimeSpan } from '../../../calendar/interval.ts'
import { type PlannedCommandWith, hasScheduleType } from './planned-command.ts'
import type { Target } from './schedule.ts'
import { parseCommandTime } from '../../../calendar/parse-time.ts'
import { nextBoundary, type WeeklyPlan } from './weekly.ts'

const MINUTE_MS = 60_000

/** A span in which one command takes precedence over the weekly plan. */
export interface PlanSpan extends TimeSpan {
  source: 'override' | 'boost' | 'oneOff'
  target: Target
}

export const toTimeSpan = ({ schedule, zone }: PlannedCommandWith<'oneOff'>): TimeSpan => ({
  from: parseCommandTime(schedule.startsAt, 'startsAt', zone),
  to: parseCommandTime(schedule.endsAt, 'endsAt', zone),
})

export function oneOffSpan(command: PlannedCommandWith<'oneOff'>): PlanSpan {
  const { from, to } = toTimeSpan(command)
  return { source: 'oneOff', from: Math.max(from, command.createdAt), to, target: command.schedule.target }
}

/** The span of an override or a boost; undefined for a resume. */
export function overrideSpan(
  command: PlannedCommandWith<'override' | 'boost' | 'resume'>,
  weekly: WeeklyPlan | null,
  boost: Target,
): PlanSpan | undefined {
  const from = command.createdAt
  if (hasScheduleType(command, 'override')) {
    return { source: 'override', from, to: getOverrideEnd(command, weekly), target: command.schedule.target }
  }
  if (hasScheduleType(command, 'boost')) {
    const { durationMinutes, target } = command.schedule
    return {
      source: 'boost',
      from,
      to: from + durationMinutes * MINUTE_MS,
      target: target ?? boost,
    }
  }
  return undefined
}

function getOverrideEnd(
  { schedule, createdAt, zone }: PlannedCommandWith<'override'>,
  weekly: WeeklyPlan | null,
): number {
  if (schedule.until !== undefined) return parseCommandTime(schedule.until, 'until', zone)
  if (schedule.durationMinutes !== undefined) return createdAt + schedule.durationMinutes * MINUTE_MS
  if (schedule.permanent || !weekly) return Number.POSITIVE_INFINITY
  // The plan that was active at the override has been replaced, and when its next period began is no longer known.
  // With the next period of the new plan instead, an override that ended long ago could become active again.
  if (weekly.from > createdAt) return weekly.from
  return nextBoundary(weekly, createdAt) ?? Number.POSITIVE_INFINITY
}
