import type { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import type { DeviceRecord, InventoryChanges, InventoryDevice } from '../../inventory/inventory.ts'
import { type Placement, placeDevice, removeDevice } from '../../inventory/placement.ts'
import type { MeasuredMetric } from '../../metric/catalogue.ts'
import { Conflict } from '../../inventory/conflict.ts'
import { prepared } from './connect.ts'
import { archiveRest, placementsOf, refuseForeign, rowsBy } from './inventory-rows.ts'
import { reopenDevice } from './reopen-device.ts'
import { integer, type Row, text } from './row.ts'
import { readingRange } from './stored-readings.ts'

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
    const metrics = Object.keys(given.metrics)
    addSeries(db, siteUuid, [given.deviceUuid, ...after.map(({ spaceUuid }) => spaceUuid)], metrics)
    if (row) reopenChanged(db, siteUuid, row, given, after, now)
    changes[row ? 'updated' : 'created'] += 1
  })
  for (const row of current.values()) {
    if (row['archived_at'] !== null) continue
    const before = placementsOf(row)
    const after = removeDevice(before, now)
    prepared(db, 'UPDATE devices SET placements = ? WHERE site_uuid = ? AND device_uuid = ?').run(
      JSON.stringify(after),
      siteUuid,
      text(row, 'device_uuid'),
    )
    reopenDevice(db, siteUuid, text(row, 'device_uuid'), before, now)
  }
  archiveRest(db, 'devices', 'device_uuid', siteUuid, current, now, changes)
}

/** A series for each metric of each subject: the device, and every space it is or was in. */
function addSeries(
  db: DatabaseSync,
  siteUuid: string,
  subjects: readonly string[],
  metrics: readonly string[],
): void {
  for (const subject of new Set(subjects)) {
    for (const metric of metrics) {
      prepared(
        db,
        'INSERT INTO series (site_uuid, subject_uuid, metric) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
      ).run(siteUuid, subject, metric)
    }
  }
}

/** Rollups depend on where a device was and on what its readings mean: when that changes, they are made anew. */
function reopenChanged(
  db: DatabaseSync,
  siteUuid: string,
  row: Row,
  { deviceUuid, metrics }: DeviceRecord,
  after: readonly Placement[],
  now: number,
): void {
  const before = placementsOf(row)
  const known = (JSON.parse(text(row, 'record')) as DeviceRecord).metrics
  if (isDeepStrictEqual(before, after) && isDeepStrictEqual(known, metrics)) return
  reopenDevice(db, siteUuid, deviceUuid, [...before, ...after], now)
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
    const series = prepared(
      db,
      'SELECT series_id FROM series WHERE site_uuid = ? AND subject_uuid = ? AND metric = ?',
    ).get(siteUuid, deviceUuid, metric)
    if (series && readingRange(db, integer(series, 'series_id')))
      throw new Conflict(`${field}.metrics.${metric}.kind`, 'cannot change once there are readings')
  }
}
