import type { DatabaseSync } from 'node:sqlite'
import type { Target } from '../../../domain/control/schedule/schedule.ts'
import { prepareOnce } from '../connect.ts'

/** From its first command on the server plays the device's plan. */
export const addServerSchedule = (db: DatabaseSync, siteUuid: string, deviceUuid: string): void =>
  void prepareOnce(
    db,
    'INSERT INTO server_schedules (site_uuid, device_uuid, next_change_at, last_target) VALUES (?, ?, NULL, NULL) ON CONFLICT DO NOTHING',
  ).run(siteUuid, deviceUuid)

/**
 * The plan may have changed, if the server plays it: it is looked at again. What is due already gets another instant, so that
 * whoever looks at it right now, without this change, does not end it.
 */
export const replan = (db: DatabaseSync, siteUuid: string, deviceUuid: string, now: number): void =>
  void prepareOnce(
    db,
    `UPDATE server_schedules SET next_change_at = CASE WHEN next_change_at <= ?1 THEN next_change_at - 1 ELSE ?1 END
     WHERE site_uuid = ?2 AND device_uuid = ?3`,
  ).run(now, siteUuid, deviceUuid)

/** What a device was told last. */
export const setLastTarget = (db: DatabaseSync, siteUuid: string, deviceUuid: string, target: Target): void =>
  void prepareOnce(
    db,
    'UPDATE server_schedules SET last_target = ? WHERE site_uuid = ? AND device_uuid = ?',
  ).run(JSON.stringify(target), siteUuid, deviceUuid)
