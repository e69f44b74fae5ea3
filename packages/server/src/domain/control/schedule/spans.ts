import type { TimeSpan } from '../../../calendar/interval.ts'
import type { Bounds } from '../../estate/inventory/inventory.ts'
import { type PlannedCommandWith, hasScheduleType } from './planned-command.ts'
import type { Target } from './schedule.ts'
import { parseCommandTime } from '../../../calendar/parse-time.ts'
import { nextBoundary, type WeeklyPlan } from './weekly.ts'

const MINUTE_MS = 60_000

/** A stretch of time that one command claims, over the weekly plan. */
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

/** What an override or a boost claims; nothing for a resume. */
export function overrideSpan(
  command: PlannedCommandWith<'override' | 'boost' | 'resume'>,
  weekly: WeeklyPlan | null,
  bounds: Bounds | undefined,
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
      target: target ?? highestTarget(bounds),
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
  // The plan that the override waited for is gone, and whether it had reached its next period is no longer known: were
  // the new one asked instead, an override that ended long ago could come back.
  if (weekly.from > createdAt) return weekly.from
  return nextBoundary(weekly, createdAt) ?? Number.POSITIVE_INFINITY
}

/** A boost without a target asks for all that the device and the site allow; of a mere switch, to be on. */
const highestTarget = (bounds: Bounds | undefined): Target =>
  bounds ? { temperature: bounds.max } : { power: 'on' }
