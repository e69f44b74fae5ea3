import type { DatabaseSync } from 'node:sqlite'
import type { ReportedStatus } from '../../../domain/telemetry/device-status/reported-status.ts'
import { DEVICE_STATUSES, type DeviceStatus } from '../../../domain/telemetry/device-status/status.ts'
import { prepareOnce } from '../connect.ts'
import { integer, integerOrNull, type Row, text } from '../row.ts'

const parseStatus = (stored: Row[string] | undefined): DeviceStatus | undefined =>
  DEVICE_STATUSES.find((status) => status === stored)

/** By device. */
export const listStatuses = (db: DatabaseSync, siteUuid: string): Map<string, ReportedStatus> =>
  new Map(
    prepareOnce(db, 'SELECT * FROM device_statuses WHERE site_uuid = ?')
      .all(siteUuid)
      .map((row) => [
        text(row, 'device_uuid'),
        {
          status: parseStatus(row['status']) ?? 'unknown',
          since: integer(row, 'since'),
          pending: parseStatus(row['pending']) ?? null,
          pendingSince: integerOrNull(row, 'pending_since'),
          isBatteryLow: row['is_battery_low'] === null ? null : row['is_battery_low'] === 1,
        },
      ]),
  )

export const putStatus = (
  db: DatabaseSync,
  siteUuid: string,
  deviceUuid: string,
  { status, since, pending, pendingSince, isBatteryLow }: ReportedStatus,
): void =>
  void prepareOnce(
    db,
    `INSERT INTO device_statuses (site_uuid, device_uuid, status, since, pending, pending_since, is_battery_low)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (site_uuid, device_uuid) DO UPDATE SET status = excluded.status, since = excluded.since,
       pending = excluded.pending, pending_since = excluded.pending_since, is_battery_low = excluded.is_battery_low`,
  ).run(
    siteUuid,
    deviceUuid,
    status,
    since,
    pending,
    pendingSince,
    isBatteryLow === null ? null : Number(isBatteryLow),
  )
