import type { Target } from '../../../domain/control/schedule/schedule.ts'
import type { Sql } from '../pool/connect.ts'

/** From its first command on the server plays the device's plan. */
export async function addServerSchedule(sql: Sql, siteUuid: string, deviceUuid: string): Promise<void> {
  await sql`
    INSERT INTO server_schedules (site_uuid, device_uuid, next_change_at, last_target) VALUES (${siteUuid}, ${deviceUuid}, NULL, NULL)
    ON CONFLICT (site_uuid, device_uuid) DO NOTHING`
}

/**
 * The plan may have changed, if the server plays it: it is looked at again. What is due already gets another instant, so that
 * whoever looks at it right now, without this change, does not end it.
 */
export async function replan(sql: Sql, siteUuid: string, deviceUuid: string, now: number): Promise<void> {
  await sql`
    UPDATE server_schedules SET next_change_at = CASE WHEN next_change_at <= ${now}::bigint THEN next_change_at - 1 ELSE ${now}::bigint END
    WHERE site_uuid = ${siteUuid} AND device_uuid = ${deviceUuid}`
}

/** What a device was told last. */
export async function setLastTarget(
  sql: Sql,
  siteUuid: string,
  deviceUuid: string,
  target: Target,
): Promise<void> {
  await sql`
    UPDATE server_schedules SET last_target = ${JSON.stringify(target)}
    WHERE site_uuid = ${siteUuid} AND device_uuid = ${deviceUuid}`
}
