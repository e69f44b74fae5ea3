import type { Target } from '../../../domain/control/schedule/schedule.ts'
import type { Sql } from '../pool/connect.ts'

/** From its first command on, the server executes the device's plan. */
export async function addServerSchedule(sql: Sql, siteUuid: string, deviceUuid: string): Promise<void> {
  await sql`
    INSERT INTO server_schedules (site_uuid, device_uuid, next_change_at, last_target) VALUES (${siteUuid}, ${deviceUuid}, NULL, NULL)
    ON CONFLICT (site_uuid, device_uuid) DO NOTHING`
}

/**
 * Makes the schedule due, if the server executes the plan, because the plan may have changed. A schedule that is
 * already due gets another instant, so that a concurrent `advance`, which does not know the change, has no effect.
 */
export async function replan(sql: Sql, siteUuid: string, deviceUuid: string, now: number): Promise<void> {
  await sql`
    UPDATE server_schedules SET next_change_at = CASE WHEN next_change_at <= ${now}::bigint THEN next_change_at - 1 ELSE ${now}::bigint END
    WHERE site_uuid = ${siteUuid} AND device_uuid = ${deviceUuid}`
}

/** Stores the last target sent to a device. */
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
