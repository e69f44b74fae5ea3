import type { DatabaseSync } from 'node:sqlite'
import type { Target } from '../../../domain/control/schedule/schedule.ts'
import type { ServerSchedule } from '../../../domain/control/command/store.ts'
import { prepareOnce } from '../connect.ts'
import { endTargets, putMessage } from '../commands/outbox-rows.ts'
import { setLastTarget } from '../commands/server-schedule-rows.ts'

export const serverScheduleWrites = {
  advance(
    db: DatabaseSync,
    { siteUuid, deviceUuid, nextAt: before }: ServerSchedule,
    nextAt: number | null,
    message: { messageUuid: string; target: Target; createdAt: number; expiresAt: number } | undefined,
  ): void {
    const { changes } = prepareOnce(
      db,
      'UPDATE server_schedules SET next_change_at = ? WHERE site_uuid = ? AND device_uuid = ? AND next_change_at = ?',
    ).run(nextAt, siteUuid, deviceUuid, before)
    // Another process has executed this change.
    if (changes === 0 || !message) return
    endTargets(db, siteUuid, deviceUuid)
    const { target, ...when } = message
    putMessage(db, { siteUuid, deviceUuid, kind: 'target', body: { target }, dueAt: when.createdAt, ...when })
    setLastTarget(db, siteUuid, deviceUuid, target)
  },
}
