import type { DatabaseSync } from 'node:sqlite'
import type { BuildingRecord, DeviceRecord, SiteRecord, SpaceRecord } from '../../inventory/inventory.ts'
import type { InventoryStore, StoredDevice } from '../../inventory/store.ts'
import type { MeasuredMetric } from '../../metric/catalogue.ts'
import { prepared } from './connect.ts'
import { reading } from './failure.ts'
import { placementsOf } from './inventory-rows.ts'
import { integer, integerOrNull, type Row, text } from './row.ts'
import type { Writer } from './writer.ts'

const recordOf = <T>(row: Row): { record: T; isArchived: boolean } => ({
  record: JSON.parse(text(row, 'record')) as T,
  isArchived: integerOrNull(row, 'archived_at') !== null,
})

export const sqliteInventory = (reader: () => DatabaseSync, writer: Writer): InventoryStore => ({
  apply: (_siteUuid, document, entry) => writer.run('applyInventory', document, entry),
  version: (siteUuid) =>
    reading(() => {
      const row = prepared(reader(), 'SELECT inventory_version FROM sites WHERE site_uuid = ?').get(siteUuid)
      return row && integer(row, 'inventory_version')
    }),
  siteOfDevice: (deviceUuid) =>
    reading(() => {
      const row = prepared(
        reader(),
        'SELECT site_uuid FROM devices WHERE device_uuid = ? AND archived_at IS NULL',
      ).get(deviceUuid)
      return row && text(row, 'site_uuid')
    }),
  load: (siteUuid) =>
    reading(() => {
      const db = reader()
      const site = prepared(db, 'SELECT * FROM sites WHERE site_uuid = ?').get(siteUuid)
      if (!site) return undefined
      const all = (table: string): Row[] =>
        prepared(db, `SELECT * FROM ${table} WHERE site_uuid = ?`).all(siteUuid)
      return {
        version: integer(site, 'inventory_version'),
        site: JSON.parse(text(site, 'record')) as SiteRecord,
        buildings: all('buildings').map((row) => recordOf<BuildingRecord>(row)),
        spaces: all('spaces').map((row) => recordOf<SpaceRecord>(row)),
        devices: devicesFrom(all('devices'), all('series')),
      }
    }),
})

function devicesFrom(devices: Row[], series: Row[]): StoredDevice[] {
  const seriesOf = new Map<string, StoredDevice['series']>()
  for (const row of series) {
    const device = text(row, 'device_uuid')
    const known = seriesOf.get(device) ?? {}
    known[text(row, 'metric') as MeasuredMetric] = integer(row, 'series_id')
    seriesOf.set(device, known)
  }
  return devices.map((row) => ({
    ...recordOf<DeviceRecord>(row),
    placements: placementsOf(row),
    series: seriesOf.get(text(row, 'device_uuid')) ?? {},
  }))
}
