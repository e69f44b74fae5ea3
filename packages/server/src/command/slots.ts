import type { ScheduleType } from '../inventory/inventory.ts'
import { type Accepted, isOf } from './accepted.ts'
import { timesOf } from './spans.ts'

/** A device follows one command of a slot at a time; one-offs share theirs as long as their times are apart. */
export type Slot = 'weekly' | 'override' | 'oneOff'

const SLOTS: Record<ScheduleType, Slot> = {
  weekly: 'weekly',
  oneOff: 'oneOff',
  override: 'override',
  boost: 'override',
  resume: 'override',
}

export const slotOf = (type: ScheduleType): Slot => SLOTS[type]

/** Whether an older, unfinished command has nothing left to say once the newer one is accepted. */
export function supersedes(newer: Accepted, older: Accepted): boolean {
  if (isOf(newer, 'oneOff') && isOf(older, 'oneOff')) {
    const [a, b] = [timesOf(newer), timesOf(older)]
    return a.from < b.to && b.from < a.to
  }
  return slotOf(newer.schedule.type) === slotOf(older.schedule.type)
}
