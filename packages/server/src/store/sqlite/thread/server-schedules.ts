import type { DatabaseSync } from 'node:sqlite'
import type { Target } from '../../../domain/control/schedule/schedule.ts'
import type { ServerSchedule } from '../../../domain/control/command/store.ts'
import { prepareOnce } from '../connect.ts'
import { endTargets, putMessage } from '../commands/outbox-rows.ts'

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

/** From its first command on, the server executes the device's plan. */
export const addServerSchedule = (db: DatabaseSync, siteUuid: string, deviceUuid: string): void =>
  void prepareOnce(
    db,
    'INSERT INTO server_schedules (site_uuid, device_uuid, next_change_at, last_target) VALUES (?, ?, NULL, NULL) ON CONFLICT DO NOTHING',
  ).run(siteUuid, deviceUuid)

/**
 * Makes the schedule due, if the server executes the plan, because the plan may have changed. A schedule that is
 * already due gets another instant, so that a concurrent `advance` that does not know of the change has no effect.
 */
export const replan = (db: DatabaseSync, siteUuid: string, deviceUuid: string, now: number): void =>
  void prepareOnce(
    db,
    `UPDATE server_schedules SET next_change_at = CASE WHEN next_change_at <= ?1 THEN next_change_at - 1 ELSE ?1 END
     WHERE site_uuid = ?2 AND device_uuid = ?3`,
  ).run(now, siteUuid, deviceUuid)

/** Stores the last target sent to a device. */
export const setLastTarget = (db: DatabaseSync, siteUuid: string, deviceUuid: string, target: Target): void =>
  void prepareOnce(
    db,
    'UPDATE server_schedules SET last_target = ? WHERE site_uuid = ? AND device_uuid = ?',
  ).run(JSON.stringify(target), siteUuid, deviceUuid)
