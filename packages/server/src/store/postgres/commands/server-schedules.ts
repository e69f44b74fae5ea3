import type { Target } from '../../../domain/control/schedule/schedule.ts'
import type { ServerScheduleStore } from '../../../domain/control/command/store.ts'
import { lockDevices } from './command-rows.ts'
import type { Database, Sql } from '../pool/connect.ts'
import { endTargets, putMessages } from './outbox-rows.ts'

interface Row {
  site_uuid: string
  device_uuid: string
  next_change_at: number
  last_target: string | null
}

const parseTarget = ({ last_target: target }: Pick<Row, 'last_target'>): Target | null =>
  target === null ? null : (JSON.parse(target) as Target)

export const postgresServerSchedules = (db: Database): ServerScheduleStore => ({
  /** One query over all sites, because it runs every second. */
  due: (now, limit) =>
    db.read(async (sql) => {
      const rows = await sql<Row[]>`
        SELECT /* every site */ site_uuid, device_uuid, next_change_at, last_target FROM server_schedules WHERE next_change_at <= ${now}
        ORDER BY next_change_at LIMIT ${limit}`
      return rows.map((row) => ({
        siteUuid: row.site_uuid,
        deviceUuid: row.device_uuid,
        nextAt: row.next_change_at,
        target: parseTarget(row),
      }))
    }),
  lastTarget: (siteUuid, deviceUuid) =>
    db.read(async (sql) => {
      const [row] = await sql<Row[]>`
        SELECT last_target FROM server_schedules WHERE site_uuid = ${siteUuid} AND device_uuid = ${deviceUuid}`
      return row ? parseTarget(row) : null
    }),
  advance: ({ siteUuid, deviceUuid, nextAt: before }, nextAt, message) =>
    db.write(async (sql) => {
      await lockDevices(sql, siteUuid, [deviceUuid])
      const advanced = await sql`
        UPDATE server_schedules SET next_change_at = ${nextAt}
        WHERE site_uuid = ${siteUuid} AND device_uuid = ${deviceUuid} AND next_change_at = ${before}`
      // Another process has executed this change.
      if (advanced.count === 0 || !message) return
      const { target, ...when } = message
      await endTargets(sql, siteUuid, deviceUuid)
      await putMessages(sql, siteUuid, [
        { siteUuid, deviceUuid, kind: 'target', body: { target }, dueAt: when.createdAt, ...when },
      ])
      await setLastTarget(sql, siteUuid, deviceUuid, target)
    }),
})

/** From its first command on, the server executes the device's plan. */
export async function addServerSchedule(sql: Sql, siteUuid: string, deviceUuid: string): Promise<void> {
  await sql`
    INSERT INTO server_schedules (site_uuid, device_uuid, next_change_at, last_target) VALUES (${siteUuid}, ${deviceUuid}, NULL, NULL)
    ON CONFLICT (site_uuid, device_uuid) DO NOTHING`
}

/**
 * Makes the schedule due, if the server executes the plan, because the plan may have changed. A schedule that is
 * already due gets another instant, so that a concurrent `advance` that does not know of the change has no effect.
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
