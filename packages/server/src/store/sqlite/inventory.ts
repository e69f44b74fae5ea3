import type { DatabaseSync } from 'node:sqlite'
import type { BuildingRecord, DeviceRecord, SiteRecord, SpaceRecord } from '../../inventory/inventory.ts'
import type { InventoryStore, SeriesNumbers, StoredInventory } from '../../inventory/store.ts'
import { mapInSteps, runSteps, type Steps } from '../../lib/steps.ts'
import type { MeasuredMetric } from '../../metric/catalogue.ts'
import { prepared, untilCommit } from './connect.ts'
import { readingInSlices, translateErrors } from './failure.ts'
import { readSiteRows, ROWS_PER_STEP, verifySteps } from './inventory-checksum.ts'
import { placementsOf } from './inventory-rows.ts'
import { integer, integerOrNull, type Row, text } from './row.ts'
import type { Writer } from './writer.ts'

const recordOf = <T>(row: Row): { record: T; isArchived: boolean } => ({
  record: JSON.parse(text(row, 'record')) as T,
  isArchived: integerOrNull(row, 'archived_at') !== null,
})

export const sqliteInventory = (reader: () => DatabaseSync, writer: Writer): InventoryStore => ({
  apply: (_siteUuid, document, entry) => writer.run('applyInventory', document, entry),
  version: (siteUuid) => translateErrors(() => versionOf(reader(), siteUuid)),
  siteOfDevice: async (deviceUuid) =>
    translateErrors(() => {
      const row = prepared(
        reader(),
        'SELECT site_uuid FROM devices WHERE device_uuid = ? AND archived_at IS NULL',
      ).get(deviceUuid)
      return row && text(row, 'site_uuid')
    }),
  load: (siteUuid) => readingInSlices(() => loadSteps(reader(), siteUuid)),
})

const versionOf = untilCommit((db: DatabaseSync, siteUuid: string): number | undefined => {
  const row = prepared(db, 'SELECT inventory_version FROM sites WHERE site_uuid = ?').get(siteUuid)
  return row && integer(row, 'inventory_version')
})

/** Without a pause, for threads that serve no requests. */
export const loadInventory = (db: DatabaseSync, siteUuid: string): StoredInventory | undefined =>
  runSteps(loadSteps(db, siteUuid))

function* loadSteps(db: DatabaseSync, siteUuid: string): Steps<StoredInventory | undefined> {
  const rows = readSiteRows(db, siteUuid)
  if (!rows) return undefined
  yield
  yield* verifySteps(db, rows)
  const series = yield* seriesBySubject(rows.series)
  return {
    version: integer(rows.site, 'inventory_version'),
    site: JSON.parse(text(rows.site, 'record')) as SiteRecord,
    buildings: yield* mapInSteps(rows.buildings, ROWS_PER_STEP, (row) => recordOf<BuildingRecord>(row)),
    spaces: yield* mapInSteps(rows.spaces, ROWS_PER_STEP, (row) => ({
      ...recordOf<SpaceRecord>(row),
      series: series.get(text(row, 'space_uuid')) ?? {},
    })),
    devices: yield* mapInSteps(rows.devices, ROWS_PER_STEP, (row) => ({
      ...recordOf<DeviceRecord>(row),
      placements: placementsOf(row),
      series: series.get(text(row, 'device_uuid')) ?? {},
    })),
  }
}

function* seriesBySubject(rows: readonly Row[]): Steps<Map<string, SeriesNumbers>> {
  const series = new Map<string, SeriesNumbers>()
  for (const [index, row] of rows.entries()) {
    const subject = text(row, 'subject_uuid')
    const known = series.get(subject) ?? {}
    known[text(row, 'metric') as MeasuredMetric] = integer(row, 'series_id')
    series.set(subject, known)
    if (index % ROWS_PER_STEP === 0) yield
  }
  return series
}
