import type { DatabaseSync } from 'node:sqlite'
import { continueChecksum, rowChecksum } from '../../../kernel/row-checksum.ts'
import { runSteps, type Steps } from '../../../kernel/steps.ts'
import { prepareArraysOnce, prepareOnce } from '../connect.ts'
import { failDamaged } from '../damage.ts'
import { integer, type Row, text } from '../row.ts'
import { inOneSnapshot } from '../snapshot.ts'

/** All rows that a site's model is built from, in a fixed order. */
export interface SiteRows {
  site: Row
  buildings: Row[]
  spaces: Row[]
  devices: Row[]
  series: SeriesRow[]
}

/** There are many series: an array takes a fraction of the memory of an object with the names of the columns. */
export type SeriesRow = [seriesId: number, subjectUuid: string, metric: string]

/**
 * Columns that the checksum covers, by name and in this order: a column that a later migration adds does not change the
 * checksums of existing sites.
 */
const COLUMNS = {
  sites: 'site_uuid, site_name, time_zone, sandbox, legacy_id, record',
  buildings: 'site_uuid, building_uuid, legacy_id, record, archived_at',
  spaces: 'site_uuid, space_uuid, legacy_id, record, archived_at',
  devices: 'site_uuid, device_uuid, record, placements, archived_at',
}

export const readSiteRows = (db: DatabaseSync, siteUuid: string): SiteRows | undefined =>
  inOneSnapshot(db, () => {
    const site = prepareOnce(
      db,
      `SELECT ${COLUMNS.sites}, inventory_version, inventory_checksum FROM sites WHERE site_uuid = ?`,
    ).get(siteUuid)
    if (!site) return undefined
    const all = (table: keyof typeof COLUMNS, key: string): Row[] =>
      prepareOnce(db, `SELECT ${COLUMNS[table]} FROM ${table} WHERE site_uuid = ? ORDER BY ${key}`).all(
        siteUuid,
      )
    return {
      site,
      buildings: all('buildings', 'building_uuid'),
      spaces: all('spaces', 'space_uuid'),
      devices: all('devices', 'device_uuid'),
      series: prepareArraysOnce<SeriesRow>(
        db,
        'SELECT series_id, subject_uuid, metric FROM series WHERE site_uuid = ? ORDER BY subject_uuid, metric',
      ).all(siteUuid),
    }
  })

/** A step takes about a millisecond. */
export const ROWS_PER_STEP = 100

/**
 * One checksum for all rows: results depend on where a device was, on its kind and on the id of its series. It is the
 * checksum of the JSON text of all rows, computed without holding the whole text in memory.
 */
function* checksumSteps({ site, series, ...records }: SiteRows): Steps<number> {
  const { inventory_version: _version, inventory_checksum: _checksum, ...record } = site
  let checksum = rowChecksum('inventory', 0, 0, Buffer.from(`[${JSON.stringify(record)},{`))
  const add = (text: string): void => {
    checksum = continueChecksum(checksum, Buffer.from(text))
  }
  const addRows = function* <T>(
    table: string,
    rows: readonly T[],
    toJson: (some: T[]) => string,
  ): Steps<void> {
    add(`"${table}":[`)
    for (let start = 0; start < rows.length; start += ROWS_PER_STEP) {
      add(`${start > 0 ? ',' : ''}${toJson(rows.slice(start, start + ROWS_PER_STEP))}`)
      yield
    }
    add(']')
  }
  for (const [table, rows] of Object.entries(records)) {
    yield* addRows(table, rows, (some) => JSON.stringify(some).slice(1, -1))
    add(',')
  }
  const siteUuid = JSON.stringify(site['site_uuid'])
  yield* addRows('series', series, (some) => some.map((row) => seriesJson(siteUuid, row)).join())
  add('}]')
  return checksum
}

const seriesJson = (siteUuid: string, [seriesId, subjectUuid, metric]: SeriesRow): string =>
  `{"series_id":${seriesId},"site_uuid":${siteUuid},"subject_uuid":${JSON.stringify(subjectUuid)},"metric":${JSON.stringify(metric)}}`

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

/** Verifies without yielding, for threads that serve no requests. Returns the verified rows. */
export function verifySite(db: DatabaseSync, siteUuid: string): SiteRows | undefined {
  const rows = readSiteRows(db, siteUuid)
  if (rows) runSteps(verifySteps(db, rows))
  return rows
}

export const storeInventoryChecksum = (db: DatabaseSync, siteUuid: string): void =>
  void prepareOnce(db, 'UPDATE sites SET inventory_checksum = ? WHERE site_uuid = ?').run(
    inventoryChecksum(db, siteUuid),
    siteUuid,
  )
