import type { DatabaseSync } from 'node:sqlite'
import {
  type InventoryFacts,
  type InventoryState,
  type NeededFacts,
  toEntries,
} from '../../../domain/estate/inventory/decide-inventory.ts'
import type { StoredRecord } from '../../../domain/estate/inventory/decide-records.ts'
import type { InventoryDocument } from '../../../domain/estate/inventory/inventory.ts'
import { prepareOnce } from '../connect.ts'
import { parsePlacements, toStoredRecord } from '../inventory/load-inventory.ts'
import type { SiteRows } from '../inventory/inventory-checksum.ts'
import { BUILDINGS, DEVICES, knownIdentifiers, SITES, SPACES, usedNumbers } from '../inventory/legacy-ids.ts'
import { integer, type Row, text } from '../row.ts'
import { latestReadings, readingRange } from '../journal/stored-readings.ts'

/** `rows` are those of the site; undefined for a site that does not exist yet. */
export function loadState(
  db: DatabaseSync,
  rows: SiteRows | undefined,
  document: InventoryDocument,
): InventoryState {
  const entries = toEntries(document)
  const records = (list: readonly Row[] | undefined, key: string): Map<string, StoredRecord> =>
    new Map(list?.map((row) => [text(row, key), toStoredRecord(row)]))
  return {
    site: rows && { timeZone: text(rows.site, 'time_zone'), record: text(rows.site, 'record') },
    buildings: records(rows?.buildings, 'building_uuid'),
    spaces: records(rows?.spaces, 'space_uuid'),
    devices: new Map(
      rows?.devices.map((row) => [
        text(row, 'device_uuid'),
        { ...toStoredRecord(row), placements: parsePlacements(row) },
      ]),
    ),
    known: {
      site: knownIdentifiers(db, SITES, entries.site),
      building: knownIdentifiers(db, BUILDINGS, entries.building),
      space: knownIdentifiers(db, SPACES, entries.space),
      device: knownIdentifiers(db, DEVICES, entries.device),
    },
  }
}

export const loadFacts = (
  db: DatabaseSync,
  siteUuid: string,
  { kindsToNumber, siteReadings, metricReadings }: NeededFacts,
): InventoryFacts => ({
  usedNumbers: Object.fromEntries(
    [SITES, BUILDINGS, SPACES]
      .filter(({ kind }) => kindsToNumber.includes(kind))
      .map((table) => [table.kind, usedNumbers(db, table)]),
  ),
  siteHasReadings: siteReadings && latestReadings(db, siteUuid).size > 0,
  measured: metricReadings.filter(({ deviceUuid, metric }) => hasReadings(db, siteUuid, deviceUuid, metric)),
})

function hasReadings(db: DatabaseSync, siteUuid: string, deviceUuid: string, metric: string): boolean {
  const series = prepareOnce(
    db,
    'SELECT series_id FROM series WHERE site_uuid = ? AND subject_uuid = ? AND metric = ?',
  ).get(siteUuid, deviceUuid, metric)
  return series !== undefined && readingRange(db, integer(series, 'series_id')) !== undefined
}
