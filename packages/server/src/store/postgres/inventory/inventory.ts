import type {
  BuildingRecord,
  DeviceRecord,
  SiteRecord,
  SpaceRecord,
} from '../../../domain/estate/inventory/inventory.ts'
import type { Placement } from '../../../domain/estate/inventory/placement.ts'
import type { InventoryStore, StoredInventory } from '../../../domain/estate/inventory/store.ts'
import { at } from '../../../kernel/at.ts'
import { mapInSteps, runInSlices, type Steps } from '../../../kernel/steps.ts'
import { createBatcher } from '../../../kernel/batcher.ts'
import type { MeasuredMetric } from '../../../domain/metric/catalogue.ts'
import type { Database, Sql } from '../pool/connect.ts'
import { applyInventory, planInventory } from './inventory-writes.ts'
import { seriesBySubject } from './series.ts'

type StoredRecord = [uuid: string, record: string, isArchived: boolean]

interface Row {
  inventory_version: number
  record: string
  buildings: StoredRecord[]
  spaces: StoredRecord[]
  devices: [...StoredRecord, placements: string][]
  series: [subject: string, metric: MeasuredMetric, seriesId: number][]
}

export const postgresInventory = (db: Database): InventoryStore => ({
  apply: (_siteUuid, document, entry) => applyInventory(db, document, entry),
  plan: (_siteUuid, document, entry) => planInventory(db, document, entry),
  // Needed by every request: requests of one tick share a query.
  version: createBatcher({
    key: String,
    flush: async (siteUuids: readonly string[]) => {
      const version = await db.read((sql) => loadVersion(sql, at(siteUuids, 0)))
      return siteUuids.map(() => version)
    },
    when: 'tick',
  }),
  findSiteOfDevice: (deviceUuid) => db.read((sql) => findSiteOfDevice(sql, deviceUuid)),
  load: (siteUuid) => db.read((sql) => loadInventory(sql, siteUuid)),
})

async function loadVersion(sql: Sql, siteUuid: string): Promise<number | undefined> {
  const [row] = await sql<{ inventory_version: number }[]>`
    SELECT inventory_version FROM sites WHERE site_uuid = ${siteUuid}`
  return row?.inventory_version
}

/** `identifiers` has the site of a device; only the site's `devices` show whether it is archived. */
async function findSiteOfDevice(sql: Sql, deviceUuid: string): Promise<string | undefined> {
  const [known] = await sql<{ site_uuid: string }[]>`
    SELECT site_uuid FROM identifiers WHERE kind = 'device' AND uuid = ${deviceUuid}`
  if (!known) return undefined
  const [device] = await sql`
    SELECT 1 FROM devices
    WHERE site_uuid = ${known.site_uuid} AND device_uuid = ${deviceUuid} AND archived_at IS NULL`
  return device && known.site_uuid
}

export async function loadInventory(sql: Sql, siteUuid: string): Promise<StoredInventory | undefined> {
  const row = await readRow(sql, siteUuid)
  return row && runInSlices(convertSteps(row))
}

/** One statement, so that all rows are of one snapshot. */
async function readRow(sql: Sql, siteUuid: string): Promise<Row | undefined> {
  const [row] = await sql<Row[]>`
    SELECT inventory_version, record,
      (SELECT coalesce(json_agg(json_build_array(building_uuid, record, archived_at IS NOT NULL)
         ORDER BY building_uuid), '[]') FROM buildings WHERE site_uuid = ${siteUuid}) AS buildings,
      (SELECT coalesce(json_agg(json_build_array(space_uuid, record, archived_at IS NOT NULL)
         ORDER BY space_uuid), '[]') FROM spaces WHERE site_uuid = ${siteUuid}) AS spaces,
      (SELECT coalesce(json_agg(json_build_array(device_uuid, record, archived_at IS NOT NULL, placements)
         ORDER BY device_uuid), '[]') FROM devices WHERE site_uuid = ${siteUuid}) AS devices,
      (SELECT coalesce(json_agg(json_build_array(subject_uuid, metric, series_id)), '[]')
         FROM series WHERE site_uuid = ${siteUuid}) AS series
    FROM sites WHERE site_uuid = ${siteUuid}`
  return row
}

/** A step takes about a millisecond. */
const RECORDS_PER_STEP = 100

function* convertSteps(row: Row): Steps<StoredInventory> {
  yield
  const series = seriesBySubject(
    row.series.map(([subject_uuid, metric, series_id]) => ({ subject_uuid, metric, series_id })),
  )
  yield
  return {
    version: row.inventory_version,
    site: JSON.parse(row.record) as SiteRecord,
    buildings: yield* mapInSteps(row.buildings, RECORDS_PER_STEP, ([, record, isArchived]) => ({
      record: JSON.parse(record) as BuildingRecord,
      isArchived,
    })),
    spaces: yield* mapInSteps(row.spaces, RECORDS_PER_STEP, ([uuid, record, isArchived]) => ({
      record: JSON.parse(record) as SpaceRecord,
      isArchived,
      series: series.get(uuid) ?? {},
    })),
    devices: yield* mapInSteps(row.devices, RECORDS_PER_STEP, ([uuid, record, isArchived, placements]) => ({
      record: JSON.parse(record) as DeviceRecord,
      isArchived,
      placements: JSON.parse(placements) as Placement[],
      series: series.get(uuid) ?? {},
    })),
  }
}
