import type { DatabaseSync } from 'node:sqlite'
import type {
  BuildingRecord,
  DeviceRecord,
  SiteRecord,
  SpaceRecord,
} from '../../../domain/estate/inventory/inventory.ts'
import type { SeriesIds, StoredInventory } from '../../../domain/estate/inventory/store.ts'
import { mapInSteps, runSteps, type Steps } from '../../../kernel/steps.ts'
import type { MeasuredMetric } from '../../../domain/metric/catalogue.ts'
import { readSiteRows, ROWS_PER_STEP, type SeriesRow, verifySteps } from './inventory-checksum.ts'
import { integer, integerOrNull, type Row, text } from '../row.ts'
import type { StoredRecord } from '../../../domain/estate/inventory/decide-records.ts'
import type { Placement } from '../../../domain/estate/inventory/placement.ts'

const parseRecord = <T>(row: Row): { record: T; isArchived: boolean } => ({
  record: JSON.parse(text(row, 'record')) as T,
  isArchived: integerOrNull(row, 'archived_at') !== null,
})

/** Loads without yielding, for threads that serve no requests. */
export const loadInventory = (db: DatabaseSync, siteUuid: string): StoredInventory | undefined =>
  runSteps(loadSteps(db, siteUuid))

export function* loadSteps(db: DatabaseSync, siteUuid: string): Steps<StoredInventory | undefined> {
  const rows = readSiteRows(db, siteUuid)
  if (!rows) return undefined
  yield
  yield* verifySteps(db, rows)
  const series = yield* seriesBySubject(rows.series)
  return {
    version: integer(rows.site, 'inventory_version'),
    site: JSON.parse(text(rows.site, 'record')) as SiteRecord,
    buildings: yield* mapInSteps(rows.buildings, ROWS_PER_STEP, (row) => parseRecord<BuildingRecord>(row)),
    spaces: yield* mapInSteps(rows.spaces, ROWS_PER_STEP, (row) => ({
      ...parseRecord<SpaceRecord>(row),
      series: series.get(text(row, 'space_uuid')) ?? {},
    })),
    devices: yield* mapInSteps(rows.devices, ROWS_PER_STEP, (row) => ({
      ...parseRecord<DeviceRecord>(row),
      placements: parsePlacements(row),
      series: series.get(text(row, 'device_uuid')) ?? {},
    })),
  }
}

function* seriesBySubject(rows: readonly SeriesRow[]): Steps<Map<string, SeriesIds>> {
  const series = new Map<string, SeriesIds>()
  for (const [index, [seriesId, subject, metric]] of rows.entries()) {
    const known = series.get(subject) ?? {}
    known[metric as MeasuredMetric] = seriesId
    series.set(subject, known)
    if (index % ROWS_PER_STEP === 0) yield
  }
  return series
}

export const parsePlacements = (row: Row): Placement[] => JSON.parse(text(row, 'placements')) as Placement[]

export const toStoredRecord = (row: Row): StoredRecord => ({
  record: text(row, 'record'),
  isArchived: integerOrNull(row, 'archived_at') !== null,
})
