import type { DatabaseSync } from 'node:sqlite'
import type { DeviceDecision } from '../../../domain/estate/inventory/decide-devices.ts'
import { prepareOnce } from '../connect.ts'
import { reopenDevice } from './invalidate-devices.ts'

export function writeDevices(
  db: DatabaseSync,
  siteUuid: string,
  { written, series, moved }: DeviceDecision,
  now: number,
): void {
  for (const [deviceUuid, { record, placements, archivedAt }] of written)
    prepareOnce(
      db,
      `INSERT INTO devices (site_uuid, device_uuid, record, placements, archived_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (site_uuid, device_uuid) DO UPDATE SET record = excluded.record, placements = excluded.placements,
         archived_at = excluded.archived_at`,
    ).run(siteUuid, deviceUuid, record, JSON.stringify(placements), archivedAt)
  for (const { subject, metric } of series)
    prepareOnce(
      db,
      'INSERT INTO series (site_uuid, subject_uuid, metric) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    ).run(siteUuid, subject, metric)
  for (const { deviceUuid, placements } of moved) reopenDevice(db, siteUuid, deviceUuid, placements, now)
}
