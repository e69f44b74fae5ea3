import type { DatabaseSync } from 'node:sqlite'
import { decideDevices, findChangedKinds, requireNoReadings } from '../../../inventory/decide-devices.ts'
import { decideAdded } from '../../../inventory/decide-identifiers.ts'
import type { InventoryChanges, InventoryDevice } from '../../../inventory/inventory.ts'
import { prepared } from '../connect.ts'
import { placementsOf, rowsBy, toStoredRecord } from '../inventory-rows.ts'
import { knownIdentifiers } from '../legacy-ids.ts'
import { reopenDevice } from './reopen-device.ts'
import { integer } from '../row.ts'
import { readingRange } from '../stored-readings.ts'

const DEVICES = { kind: 'device', table: 'devices', key: 'device_uuid' } as const

export function applyDevices(
  db: DatabaseSync,
  siteUuid: string,
  devices: readonly InventoryDevice[],
  now: number,
): InventoryChanges {
  const entries = devices.map(({ deviceUuid }, index) => ({
    uuid: deviceUuid,
    legacyId: null,
    field: `devices.${index}`,
  }))
  decideAdded(siteUuid, 'device', entries, knownIdentifiers(db, DEVICES, entries))
  const stored = new Map(
    [...rowsBy(db, 'devices', 'device_uuid', siteUuid)].map(([uuid, row]) => [
      uuid,
      { ...toStoredRecord(row), placements: placementsOf(row) },
    ]),
  )
  requireNoReadings(findChangedKinds(devices, stored), ({ deviceUuid, metric }) =>
    hasReadings(db, siteUuid, deviceUuid, metric),
  )
  const { written, series, moved, changes } = decideDevices(devices, stored, now)
  for (const [deviceUuid, { record, placements, archivedAt }] of written)
    prepared(
      db,
      `INSERT INTO devices (site_uuid, device_uuid, record, placements, archived_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (site_uuid, device_uuid) DO UPDATE SET record = excluded.record, placements = excluded.placements,
         archived_at = excluded.archived_at`,
    ).run(siteUuid, deviceUuid, record, JSON.stringify(placements), archivedAt)
  for (const { subject, metric } of series)
    prepared(
      db,
      'INSERT INTO series (site_uuid, subject_uuid, metric) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    ).run(siteUuid, subject, metric)
  for (const { deviceUuid, placements } of moved) reopenDevice(db, siteUuid, deviceUuid, placements, now)
  return changes
}

function hasReadings(db: DatabaseSync, siteUuid: string, deviceUuid: string, metric: string): boolean {
  const series = prepared(
    db,
    'SELECT series_id FROM series WHERE site_uuid = ? AND subject_uuid = ? AND metric = ?',
  ).get(siteUuid, deviceUuid, metric)
  return series !== undefined && readingRange(db, integer(series, 'series_id')) !== undefined
}
