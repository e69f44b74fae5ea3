import type { ScheduleType } from '../../estate/inventory/inventory.ts'
import { type PlannedCommand, hasScheduleType } from './planned-command.ts'
import { toTimeSpan } from './spans.ts'

/** A device follows one command per slot at a time; several one-offs can coexist if their times do not overlap. */
export type Slot = 'weekly' | 'override' | 'oneOff'

const SLOTS: Record<ScheduleType, Slot> = {
  weekly: 'weekly',
  oneOff: 'oneOff',
  override: 'override',
  boost: 'override',
  resume: 'override',
}

export const toSlot = (type: ScheduleType): Slot => SLOTS[type]

/** Whether accepting the newer command makes an older, unfinished one obsolete. */
export function supersedes(newer: PlannedCommand, older: PlannedCommand): boolean {
  if (hasScheduleType(newer, 'oneOff') && hasScheduleType(older, 'oneOff')) {
    const [a, b] = [toTimeSpan(newer), toTimeSpan(older)]
    return a.from < b.to && b.from < a.to
  }
  return toSlot(newer.schedule.type) === toSlot(older.schedule.type)
}
