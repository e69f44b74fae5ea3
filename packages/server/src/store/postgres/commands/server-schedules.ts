import type { Target } from '../../../domain/control/schedule/schedule.ts'
import type { ServerScheduleStore } from '../../../domain/control/command/store.ts'
import { lockDevices } from './command-lock.ts'
import type { Database } from '../pool/connect.ts'
import { endTargets, putMessages } from './outbox-rows.ts'
import { setLastTarget } from './server-schedule-rows.ts'

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
