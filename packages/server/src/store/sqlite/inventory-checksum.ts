import type { DatabaseSync } from 'node:sqlite'
import { rowChecksum } from '../../lib/row-checksum.ts'
import { prepared } from './connect.ts'
import { failDamaged } from './damage.ts'
import { integer, type Row } from './row.ts'
import { inOneSnapshot } from './snapshot.ts'

/** Everything that a site's model is made of, in a fixed order. */
export interface SiteRows {
  site: Row
  buildings: Row[]
  spaces: Row[]
  devices: Row[]
  series: Row[]
}

/**
 * Columns that the checksum covers, by name and in this order: a column that a later migration adds does not change the checksums of
 * sites that are there already.
 */
const COLUMNS = {
  sites: 'site_uuid, site_name, time_zone, sandbox, legacy_id, record',
  buildings: 'site_uuid, building_uuid, legacy_id, record, archived_at',
  spaces: 'site_uuid, space_uuid, legacy_id, record, archived_at',
  devices: 'site_uuid, device_uuid, record, placements, archived_at',
  series: 'series_id, site_uuid, subject_uuid, metric',
}

const readSiteRows = (db: DatabaseSync, siteUuid: string): SiteRows | undefined =>
  inOneSnapshot(db, () => {
    const site = prepared(
      db,
      `SELECT ${COLUMNS.sites}, inventory_version, inventory_checksum FROM sites WHERE site_uuid = ?`,
    ).get(siteUuid)
    if (!site) return undefined
    const all = (table: keyof typeof COLUMNS, key: string): Row[] =>
      prepared(db, `SELECT ${COLUMNS[table]} FROM ${table} WHERE site_uuid = ? ORDER BY ${key}`).all(siteUuid)
    return {
      site,
      buildings: all('buildings', 'building_uuid'),
      spaces: all('spaces', 'space_uuid'),
      devices: all('devices', 'device_uuid'),
      series: all('series', 'subject_uuid, metric'),
    }
  })

/** One checksum for all of it: a figure depends on where a device was, on its kind and on the number of its series. */
function toChecksum({ site, ...rest }: SiteRows): number {
  const { inventory_version: _version, inventory_checksum: _checksum, ...record } = site
  return rowChecksum('inventory', 0, 0, Buffer.from(JSON.stringify([record, rest])))
}

export function inventoryChecksum(db: DatabaseSync, siteUuid: string): number {
  const rows = readSiteRows(db, siteUuid)
  return rows ? toChecksum(rows) : 0
}

/** Undefined when there is no such site. */
export function verifiedSiteRows(db: DatabaseSync, siteUuid: string): SiteRows | undefined {
  const rows = readSiteRows(db, siteUuid)
  if (rows && toChecksum(rows) !== integer(rows.site, 'inventory_checksum'))
    failDamaged(db, { table: 'inventory', reason: `the checksum of site ${siteUuid} is wrong` })
  return rows
}

export const noteInventoryChecksum = (db: DatabaseSync, siteUuid: string): void =>
  void prepared(db, 'UPDATE sites SET inventory_checksum = ? WHERE site_uuid = ?').run(
    inventoryChecksum(db, siteUuid),
    siteUuid,
  )
