import type { ScheduleType } from '../../estate/inventory/inventory.ts'
import { type Zone, getZone } from '../../../calendar/zone.ts'
import type { Schedule } from './schedule.ts'

/** A command as a plan needs it: its schedule, when it was accepted, and the time zone of its times. */
export interface PlannedCommand<S extends Schedule = Schedule> {
  commandUuid: string
  /** When the command was accepted; durations count from here. */
  createdAt: number
  zone: Zone
  schedule: S
}

export type PlannedCommandWith<T extends ScheduleType> = PlannedCommand<Extract<Schedule, { type: T }>>

export const toPlannedCommand = (
  { commandUuid, createdAt, schedule }: Omit<PlannedCommand, 'zone'>,
  siteZone: Zone,
): PlannedCommand => ({
  commandUuid,
  createdAt,
  zone: schedule.timeZone === undefined ? siteZone : getZone(schedule.timeZone),
  schedule,
})

export const hasScheduleType = <T extends ScheduleType>(
  command: PlannedCommand,
  ...types: T[]
): command is PlannedCommandWith<T> => types.some((type) => type === command.schedule.type)

/** Newest first; within a millisecond ordered by id, as in lists of commands. */
export const byNewest = (a: PlannedCommand, b: PlannedCommand): number =>
  b.createdAt - a.createdAt || (a.commandUuid < b.commandUuid ? 1 : -1)
