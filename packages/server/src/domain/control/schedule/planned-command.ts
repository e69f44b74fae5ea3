import type { ScheduleType } from '../../estate/inventory/inventory.ts'
import { type Zone, getZone } from '../../../calendar/zone.ts'
import type { Schedule } from './schedule.ts'

/** A command as a plan needs it: what, since when, and on which wall clock. */
export interface PlannedCommand<S extends Schedule = Schedule> {
  commandUuid: string
  /** The instant of acceptance: durations count from here. */
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

/** Newest first; in the order of their ids within a millisecond, as they are listed. */
export const byNewest = (a: PlannedCommand, b: PlannedCommand): number =>
  b.createdAt - a.createdAt || (a.commandUuid < b.commandUuid ? 1 : -1)
