import type { ScheduleType } from '../../estate/inventory/inventory.ts'
import { type PlannedCommand, hasScheduleType } from './planned-command.ts'
import { toTimeSpan } from './spans.ts'

/** A device follows one command of a slot at a time; one-offs share theirs as long as their times are apart. */
export type Slot = 'weekly' | 'override' | 'oneOff'

const SLOTS: Record<ScheduleType, Slot> = {
  weekly: 'weekly',
  oneOff: 'oneOff',
  override: 'override',
  boost: 'override',
  resume: 'override',
}

export const toSlot = (type: ScheduleType): Slot => SLOTS[type]

/** Whether an older, unfinished command has nothing left to say once the newer one is accepted. */
export function supersedes(newer: PlannedCommand, older: PlannedCommand): boolean {
  if (hasScheduleType(newer, 'oneOff') && hasScheduleType(older, 'oneOff')) {
    const [a, b] = [toTimeSpan(newer), toTimeSpan(older)]
    return a.from < b.to && b.from < a.to
  }
  return toSlot(newer.schedule.type) === toSlot(older.schedule.type)
}
