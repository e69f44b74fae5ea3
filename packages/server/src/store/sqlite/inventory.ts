import type { DatabaseSync } from 'node:sqlite'
import type { BuildingRecord, DeviceRecord, SiteRecord, SpaceRecord } from '../../inventory/inventory.ts'
import type { InventoryStore, SeriesNumbers, StoredInventory } from '../../inventory/store.ts'
import type { MeasuredMetric } from '../../metric/catalogue.ts'
import { prepared, untilCommit } from './connect.ts'
import { reading, readingAtOnce } from './failure.ts'
import { verifiedSiteRows } from './inventory-checksum.ts'
import { placementsOf } from './inventory-rows.ts'
import { integer, integerOrNull, type Row, text } from './row.ts'
import type { Writer } from './writer.ts'

const recordOf = <T>(row: Row): { record: T; isArchived: boolean } => ({
  record: JSON.parse(text(row, 'record')) as T,
  isArchived: integerOrNull(row, 'archived_at') !== null,
})

export const sqliteInventory = (reader: () => DatabaseSync, writer: Writer): InventoryStore => ({
  apply: (_siteUuid, document, entry) => writer.run('applyInventory', document, entry),
  version: (siteUuid) => reading(() => versionOf(reader(), siteUuid)),
  versionAtOnce: (siteUuid) => readingAtOnce(() => versionOf(reader(), siteUuid)),
  siteOfDevice: (deviceUuid) =>
    reading(() => {
      const row = prepared(
        reader(),
        'SELECT site_uuid FROM devices WHERE device_uuid = ? AND archived_at IS NULL',
      ).get(deviceUuid)
      return row && text(row, 'site_uuid')
    }),
  load: (siteUuid) => reading(() => loadInventory(reader(), siteUuid)),
})

const versionOf = untilCommit((db: DatabaseSync, siteUuid: string): number | undefined => {
  const row = prepared(db, 'SELECT inventory_version FROM sites WHERE site_uuid = ?').get(siteUuid)
  return row && integer(row, 'inventory_version')
})

export function loadInventory(db: DatabaseSync, siteUuid: string): StoredInventory | undefined {
  const rows = verifiedSiteRows(db, siteUuid)
  if (!rows) return undefined
  const { site } = rows
  const series = seriesBySubject(rows.series)
  return {
    version: integer(site, 'inventory_version'),
    site: JSON.parse(text(site, 'record')) as SiteRecord,
    buildings: rows.buildings.map((row) => recordOf<BuildingRecord>(row)),
    spaces: rows.spaces.map((row) => ({
      ...recordOf<SpaceRecord>(row),
      series: series.get(text(row, 'space_uuid')) ?? {},
    })),
    devices: rows.devices.map((row) => ({
      ...recordOf<DeviceRecord>(row),
      placements: placementsOf(row),
      series: series.get(text(row, 'device_uuid')) ?? {},
    })),
  }
}

function seriesBySubject(rows: readonly Row[]): Map<string, SeriesNumbers> {
  const series = new Map<string, SeriesNumbers>()
  for (const row of rows) {
    const subject = text(row, 'subject_uuid')
    const known = series.get(subject) ?? {}
    known[text(row, 'metric') as MeasuredMetric] = integer(row, 'series_id')
    series.set(subject, known)
  }
  return series
}
