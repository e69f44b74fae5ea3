import type { DatabaseSync } from 'node:sqlite'
import { rowChecksum } from '../../lib/row-checksum.ts'
import { prepared } from './connect.ts'
import { failDamaged } from './damage.ts'
import { integer, type Row } from './row.ts'

/** All rows that a site's model is built from, in a fixed order. */
export interface SiteRows {
  site: Row
  buildings: Row[]
  spaces: Row[]
  devices: Row[]
  series: Row[]
}

function readSiteRows(db: DatabaseSync, siteUuid: string): SiteRows | undefined {
  const site = prepared(db, 'SELECT * FROM sites WHERE site_uuid = ?').get(siteUuid)
  if (!site) return undefined
  const all = (table: string, key: string): Row[] =>
    prepared(db, `SELECT * FROM ${table} WHERE site_uuid = ? ORDER BY ${key}`).all(siteUuid)
  return {
    site,
    buildings: all('buildings', 'building_uuid'),
    spaces: all('spaces', 'space_uuid'),
    devices: all('devices', 'device_uuid'),
    series: all('series', 'subject_uuid, metric'),
  }
}

/** One checksum for all rows: results depend on where a device was, on its kind and on the id of its series. */
function toChecksum({ site, ...rest }: SiteRows): number {
  const { inventory_version: _version, inventory_checksum: _checksum, ...record } = site
  return rowChecksum('inventory', 0, 0, Buffer.from(JSON.stringify([record, rest])))
}

export function inventoryChecksum(db: DatabaseSync, siteUuid: string): number {
  const rows = readSiteRows(db, siteUuid)
  return rows ? toChecksum(rows) : 0
}

/** Returns undefined if there is no such site. */
export function verifiedSiteRows(db: DatabaseSync, siteUuid: string): SiteRows | undefined {
  const rows = readSiteRows(db, siteUuid)
  if (rows && toChecksum(rows) !== integer(rows.site, 'inventory_checksum'))
    failDamaged(db, { table: 'inventory', reason: `the checksum of site ${siteUuid} is wrong` })
  return rows
}

export const storeInventoryChecksum = (db: DatabaseSync, siteUuid: string): void =>
  void prepared(db, 'UPDATE sites SET inventory_checksum = ? WHERE site_uuid = ?').run(
    inventoryChecksum(db, siteUuid),
    siteUuid,
  )
