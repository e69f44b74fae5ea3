import {
  decideStatuses,
  type ReportedStatus,
} from '../../../domain/telemetry/device-status/reported-status.ts'
import type { DeviceStatusStore } from '../../../domain/telemetry/device-status/store.ts'
import type { Database, Sql } from '../pool/connect.ts'
import { BOOLEAN_ARRAY } from '../pool/array-types.ts'
import { appendEvents } from './event-rows.ts'

interface Row extends ReportedStatus {
  deviceUuid: string
}

export const postgresDeviceStatuses = (db: Database): DeviceStatusStore => ({
  list: (siteUuid) =>
    db.read(
      async (sql) =>
        new Map(
          fromRows(
            await sql<Row[]>`SELECT ${columns(sql)} FROM device_statuses WHERE site_uuid = ${siteUuid}`,
          ),
        ),
    ),
  update: (siteUuid, { observed, removed, isFirst }, now) =>
    db.write(async (sql) => {
      await sql`
        DELETE FROM device_statuses WHERE site_uuid = ${siteUuid} AND device_uuid = ANY(${removed}::uuid[])`
      // Locked in a fixed order, so that concurrent observations are serialised and cannot deadlock.
      const rows = await sql<Row[]>`
        SELECT ${columns(sql)} FROM device_statuses
        WHERE site_uuid = ${siteUuid} AND device_uuid = ANY(${observed.map(({ deviceUuid }) => deviceUuid)}::uuid[])
        ORDER BY device_uuid FOR UPDATE`
      const { written, events } = decideStatuses(new Map(fromRows(rows)), observed, now, isFirst)
      await putStatuses(sql, siteUuid, written)
      await appendEvents(sql, siteUuid, events)
    }),
})

const columns = (sql: Sql) =>
  sql`device_uuid AS "deviceUuid", status, since, pending, pending_since AS "pendingSince", is_battery_low AS "isBatteryLow"`

const fromRows = (rows: readonly Row[]): [string, ReportedStatus][] =>
  rows.map(({ deviceUuid, ...status }) => [deviceUuid, status])

async function putStatuses(
  sql: Sql,
  siteUuid: string,
  written: ReadonlyMap<string, ReportedStatus>,
): Promise<void> {
  const rows = [...written].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const statuses = rows.map(([, status]) => status)
  await sql`
    INSERT INTO device_statuses (site_uuid, device_uuid, status, since, pending, pending_since, is_battery_low)
    VALUES (${siteUuid}, unnest(${rows.map(([deviceUuid]) => deviceUuid)}::uuid[]),
      unnest(${statuses.map(({ status }) => status)}::text[]), unnest(${statuses.map(({ since }) => since)}::bigint[]),
      unnest(${statuses.map(({ pending }) => pending)}::text[]),
      unnest(${statuses.map(({ pendingSince }) => pendingSince)}::bigint[]),
      unnest(${sql.array(
        statuses.map(({ isBatteryLow }) => isBatteryLow),
        BOOLEAN_ARRAY,
      )}::boolean[]))
    ON CONFLICT (site_uuid, device_uuid) DO UPDATE SET status = excluded.status, since = excluded.since,
      pending = excluded.pending, pending_since = excluded.pending_since,
      is_battery_low = excluded.is_battery_low`
}
