import type { Schedule } from '../schedule/schedule.ts'
import type { ScheduleType } from '../../estate/inventory/inventory.ts'

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
