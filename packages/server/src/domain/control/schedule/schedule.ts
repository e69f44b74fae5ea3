import type { Mode } from '../../estate/inventory/inventory.ts'

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

export type Weekday = (typeof WEEKDAYS)[number]

export interface Target {
  temperature?: number
  power?: 'on' | 'off'
  mode?: Mode
}

export interface Period {
  days: Weekday[]
  /** HH:MM on the wall clock. */
  start: string
  /** Exclusive; 24:00 is allowed. At or before `start`, it is on the next day. */
  end: string
  target: Target
}

interface Common {
  timeZone?: string
  expiresAt?: string
  failIfOffline?: boolean
  clientReference?: string
}

export type Schedule = Common &
  (
    | { type: 'weekly'; default: Target; periods: Period[] }
    | { type: 'oneOff'; startsAt: string; endsAt: string; target: Target }
    | {
        type: 'override'
        target: Target
        until?: string
        durationMinutes?: number
        untilNextPeriod?: true
        permanent?: true
      }
    | { type: 'boost'; durationMinutes: number; target?: Target }
    | { type: 'resume' }
  )
