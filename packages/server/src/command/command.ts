import type { ScheduleType } from '../inventory/inventory.ts'

export const COMMAND_STATES = [
  'PENDING',
  'SENT',
  'DELIVERED',
  'CONFIRMED',
  'FAILED',
  'EXPIRED',
  'CANCELLED',
] as const

export type CommandState = (typeof COMMAND_STATES)[number]

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

export type Weekday = (typeof WEEKDAYS)[number]

export interface Target {
  temperature?: number
  power?: 'on' | 'off'
}

export interface Period {
  days: Weekday[]
  /** HH:MM on the wall clock. */
  start: string
  /** Exclusive; 24:00 allowed; at or before `start` it is on the next day. */
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

export interface Command {
  siteUuid: string
  deviceUuid: string
  commandUuid: string
  partnerUuid: string
  type: ScheduleType
  state: CommandState
  createdAt: number
  updatedAt: number
  expiresAt: number
  completedAt: number | null
  failureReason: { code: string; message: string } | null
  clientReference: string | null
  schedule: Schedule
}
