import type { ScheduleType } from '../inventory/inventory.ts'
import { type Zone, zoneOf } from '../lib/zone.ts'
import type { Schedule } from './command.ts'

/** A command as a plan needs it: what, since when, and on which wall clock. */
export interface Accepted<S extends Schedule = Schedule> {
  commandUuid: string
  /** The instant of acceptance: durations count from here. */
  createdAt: number
  zone: Zone
  schedule: S
}

export type AcceptedAs<T extends ScheduleType> = Accepted<Extract<Schedule, { type: T }>>

export const acceptedOf = (
  { commandUuid, createdAt, schedule }: Omit<Accepted, 'zone'>,
  siteZone: Zone,
): Accepted => ({
  commandUuid,
  createdAt,
  zone: schedule.timeZone === undefined ? siteZone : zoneOf(schedule.timeZone),
  schedule,
})

export const isOf = <T extends ScheduleType>(command: Accepted, ...types: T[]): command is AcceptedAs<T> =>
  types.some((type) => type === command.schedule.type)

/** Newest first; in the order of their ids within a millisecond, as they are listed. */
export const byNewest = (a: Accepted, b: Accepted): number =>
  b.createdAt - a.createdAt || (a.commandUuid < b.commandUuid ? 1 : -1)
