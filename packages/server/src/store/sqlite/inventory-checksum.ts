import type { DatabaseSync } from 'node:sqlite'
import { continueChecksum, rowChecksum } from '../../lib/row-checksum.ts'
import { runSteps, type Steps } from '../../lib/steps.ts'
import { onSnapshot, prepared } from './connect.ts'
import { failDamaged } from './damage.ts'
import { integer, type Row, text } from './row.ts'

/** All rows that a site's model is built from, in a fixed order. */
export interface SiteRows {
  site: Row
  buildings: Row[]
  spaces: Row[]
  devices: Row[]
  series: Row[]
}

/** On one snapshot: rows of two versions would not match the checksum. */
export const readSiteRows = (db: DatabaseSync, siteUuid: string): SiteRows | undefined =>
  onSnapshot(db, () => {
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
  })

/** A step takes about a millisecond. */
export const ROWS_PER_STEP = 100

/**
 * One checksum for all rows: results depend on where a device was, on its kind and on the id of its series. It is the checksum of the
 * JSON text of all rows, computed without holding the whole text in memory.
 */
function* checksumSteps({ site, ...rest }: SiteRows): Steps<number> {
  const { inventory_version: _version, inventory_checksum: _checksum, ...record } = site
  let checksum = rowChecksum('inventory', 0, 0, Buffer.from(`[${JSON.stringify(record)},{`))
  const add = (text: string): void => {
    checksum = continueChecksum(checksum, Buffer.from(text))
  }
  let separator = ''
  for (const [table, rows] of Object.entries(rest)) {
    add(`${separator}"${table}":[`)
    separator = ','
    for (let start = 0; start < rows.length; start += ROWS_PER_STEP) {
      const list = JSON.stringify(rows.slice(start, start + ROWS_PER_STEP))
      add(`${start > 0 ? ',' : ''}${list.slice(1, -1)}`)
      yield
    }
    add(']')
  }
  add('}]')
  return checksum
}

export function inventoryChecksum(db: DatabaseSync, siteUuid: string): number {
  const rows = readSiteRows(db, siteUuid)
  return rows ? runSteps(checksumSteps(rows)) : 0
}

/** Throws if the rows do not match their checksum. */
export function* verifySteps(db: DatabaseSync, rows: SiteRows): Steps<void> {
  const checksum = yield* checksumSteps(rows)
  if (checksum === integer(rows.site, 'inventory_checksum')) return
  const siteUuid = text(rows.site, 'site_uuid')
  failDamaged(db, { table: 'inventory', reason: `the checksum of site ${siteUuid} is wrong` })
}

/** Verifies without yielding, for threads that serve no requests. */
export function verifySite(db: DatabaseSync, siteUuid: string): void {
  const rows = readSiteRows(db, siteUuid)
  if (rows) runSteps(verifySteps(db, rows))
}

export const storeInventoryChecksum = (db: DatabaseSync, siteUuid: string): void =>
  void prepared(db, 'UPDATE sites SET inventory_checksum = ? WHERE site_uuid = ?').run(
    inventoryChecksum(db, siteUuid),
    siteUuid,
  )
