import type { DatabaseSync } from 'node:sqlite'
import type { DeviceRecord, InventoryChanges, InventoryDevice } from '../../inventory/inventory.ts'
import { placeDevice, removeDevice } from '../../inventory/placement.ts'
import type { MeasuredMetric } from '../../metric/catalogue.ts'
import { Conflict } from './conflict.ts'
import { prepared } from './connect.ts'
import { archiveRest, placementsOf, refuseForeign, rowsBy } from './inventory-rows.ts'
import { type Row, text } from './row.ts'

export function applyDevices(
  db: DatabaseSync,
  siteUuid: string,
  devices: readonly InventoryDevice[],
  now: number,
  changes: InventoryChanges,
): void {
  const current = rowsBy(db, 'devices', 'device_uuid', siteUuid)
  devices.forEach(({ since, ...given }, index) => {
    const row = current.get(given.deviceUuid)
    current.delete(given.deviceUuid)
    refuseForeign(db, 'devices', 'device_uuid', siteUuid, given.deviceUuid, `devices.${index}`)
    const record = JSON.stringify(given)
    if (row && text(row, 'record') !== record)
      refuseChangedKinds(db, siteUuid, row, given, `devices.${index}`)
    const before = row ? placementsOf(row) : []
    const after = placeDevice(before, given.spaceUuid, since, now)
    if (row && text(row, 'record') === record && after === before && row['archived_at'] === null) {
      changes.unchanged += 1
      return
    }
    prepared(
      db,
      `INSERT INTO devices (site_uuid, device_uuid, record, placements, archived_at) VALUES (?, ?, ?, ?, NULL)
       ON CONFLICT (site_uuid, device_uuid) DO UPDATE SET record = excluded.record, placements = excluded.placements,
         archived_at = NULL`,
    ).run(siteUuid, given.deviceUuid, record, JSON.stringify(after))
    for (const metric of Object.keys(given.metrics)) {
      prepared(
        db,
        'INSERT INTO series (site_uuid, device_uuid, metric) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
      ).run(siteUuid, given.deviceUuid, metric)
    }
    changes[row ? 'updated' : 'created'] += 1
  })
  for (const row of current.values()) {
    if (row['archived_at'] !== null) continue
    prepared(db, 'UPDATE devices SET placements = ? WHERE site_uuid = ? AND device_uuid = ?').run(
      JSON.stringify(removeDevice(placementsOf(row), now)),
      siteUuid,
      text(row, 'device_uuid'),
    )
  }
  archiveRest(db, 'devices', 'device_uuid', siteUuid, current, now, changes)
}

/** Readings of a register are no deltas: another kind would make all of them mean something else. */
function refuseChangedKinds(
  db: DatabaseSync,
  siteUuid: string,
  row: Row,
  { deviceUuid, metrics }: DeviceRecord,
  field: string,
): void {
  const before = (JSON.parse(text(row, 'record')) as DeviceRecord).metrics
  for (const [metric, spec] of Object.entries(metrics)) {
    const known = before[metric as MeasuredMetric]
    if (!known || known.kind === spec.kind) continue
    const hasReadings = prepared(
      db,
      `SELECT 1 FROM series JOIN latest_readings USING (series_id)
       WHERE site_uuid = ? AND device_uuid = ? AND metric = ?`,
    ).get(siteUuid, deviceUuid, metric)
    if (hasReadings)
      throw new Conflict(`${field}.metrics.${metric}.kind`, 'cannot change once there are readings')
  }
}
