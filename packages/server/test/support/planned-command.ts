import type { PlannedCommand } from '../../src/domain/control/schedule/planned-command.ts'
import type { Schedule } from '../../src/domain/control/schedule/schedule.ts'
import { getZone } from '../../src/calendar/zone.ts'

let count = 0

/** A command accepted at an instant, in its own time zone or London's. */
export const accepted = (schedule: Schedule, createdAt: string): PlannedCommand => ({
  commandUuid: `00000000-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`,
  createdAt: Date.parse(createdAt),
  zone: getZone(schedule.timeZone ?? 'Europe/London'),
  schedule,
})
