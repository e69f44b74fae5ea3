import type { Bounds } from '../inventory/inventory.ts'
import { type AcceptedAs, isOf } from './accepted.ts'
import type { Target } from './command.ts'
import { parseMoment } from './moment.ts'
import { nextEdge, type Weekly } from './weekly.ts'

const MINUTE_MS = 60_000

/** Half-open; without an end `to` is infinite. */
export interface Times {
  from: number
  to: number
}

/** A stretch of time that one command claims, over the weekly plan. */
export interface Span extends Times {
  source: 'override' | 'boost' | 'oneOff'
  target: Target
}

export const timesOf = ({ schedule, zone }: AcceptedAs<'oneOff'>): Times => ({
  from: parseMoment(schedule.startsAt, 'startsAt', zone),
  to: parseMoment(schedule.endsAt, 'endsAt', zone),
})

export function oneOffSpan(command: AcceptedAs<'oneOff'>): Span {
  const { from, to } = timesOf(command)
  return { source: 'oneOff', from: Math.max(from, command.createdAt), to, target: command.schedule.target }
}

/** What an override or a boost claims; nothing for a resume. */
export function overrideSpan(
  command: AcceptedAs<'override' | 'boost' | 'resume'>,
  weekly: Weekly | null,
  bounds: Bounds | undefined,
): Span | undefined {
  const from = command.createdAt
  if (isOf(command, 'override')) {
    return { source: 'override', from, to: endOf(command, weekly), target: command.schedule.target }
  }
  if (isOf(command, 'boost')) {
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

function endOf({ schedule, createdAt, zone }: AcceptedAs<'override'>, weekly: Weekly | null): number {
  if (schedule.until !== undefined) return parseMoment(schedule.until, 'until', zone)
  if (schedule.durationMinutes !== undefined) return createdAt + schedule.durationMinutes * MINUTE_MS
  if (schedule.permanent || !weekly) return Number.POSITIVE_INFINITY
  // The plan that the override waited for is gone, and whether it had reached its next period is no longer known: were
  // the new one asked instead, an override that ended long ago could come back.
  if (weekly.from > createdAt) return weekly.from
  return nextEdge(weekly, createdAt) ?? Number.POSITIVE_INFINITY
}

/** A boost without a target asks for all that the device and the site allow; of a mere switch, to be on. */
const highestTarget = (bounds: Bounds | undefined): Target =>
  bounds ? { temperature: bounds.max } : { power: 'on' }
