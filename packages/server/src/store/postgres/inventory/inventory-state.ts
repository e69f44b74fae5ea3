import type { StoredDeviceRow } from '../../../domain/estate/inventory/decide-devices.ts'
import {
  type InventoryFacts,
  type InventoryState,
  type NeededFacts,
  toEntries,
} from '../../../domain/estate/inventory/decide-inventory.ts'
import type { NumberedKind, UsedNumber } from '../../../domain/estate/inventory/decide-identifiers.ts'
import type { StoredRecord } from '../../../domain/estate/inventory/decide-records.ts'
import type { InventoryDocument } from '../../../domain/estate/inventory/inventory.ts'
import type { Placement } from '../../../domain/estate/inventory/placement.ts'
import type { Sql } from '../pool/connect.ts'
import { knownIdentifiers, usedNumbers } from './identifiers.ts'
import type { SiteSeries } from './series.ts'
import { seriesWithReadings } from '../readings/stored-readings.ts'

/** Locks the site first: documents of one site are applied one after another. */
export async function loadState(sql: Sql, document: InventoryDocument): Promise<InventoryState> {
  const { siteUuid } = document.site
  const entries = toEntries(document)
  const [site] = await sql<{ timeZone: string; record: string }[]>`
    SELECT time_zone AS "timeZone", record FROM sites WHERE site_uuid = ${siteUuid} FOR NO KEY UPDATE`
  return {
    site,
    buildings: await loadRecords(sql, 'buildings', 'building_uuid', siteUuid),
    spaces: await loadRecords(sql, 'spaces', 'space_uuid', siteUuid),
    devices: await loadDevices(sql, siteUuid),
    known: {
      site: await knownIdentifiers(sql, 'site', entries.site),
      building: await knownIdentifiers(sql, 'building', entries.building),
      space: await knownIdentifiers(sql, 'space', entries.space),
      device: await knownIdentifiers(sql, 'device', entries.device),
    },
  }
}

async function loadRecords(
  sql: Sql,
  table: 'buildings' | 'spaces',
  key: 'building_uuid' | 'space_uuid',
  siteUuid: string,
): Promise<Map<string, StoredRecord>> {
  const rows = await sql<(StoredRecord & { uuid: string })[]>`
    SELECT ${sql(key)} AS uuid, record, archived_at IS NOT NULL AS "isArchived" FROM ${sql(table)}
    WHERE site_uuid = ${siteUuid}`
  return new Map(rows.map((row) => [row.uuid, row]))
}

async function loadDevices(sql: Sql, siteUuid: string): Promise<Map<string, StoredDeviceRow>> {
  const rows = await sql<
    { device_uuid: string; record: string; placements: string; archived_at: number | null }[]
  >`SELECT device_uuid, record, placements, archived_at FROM devices WHERE site_uuid = ${siteUuid}`
  return new Map(
    rows.map((row) => [
      row.device_uuid,
      {
        record: row.record,
        placements: JSON.parse(row.placements) as Placement[],
        isArchived: row.archived_at !== null,
      },
    ]),
  )
}

export async function loadFacts(
  sql: Sql,
  siteUuid: string,
  { kindsToNumber, siteReadings, metricReadings }: NeededFacts,
  known: SiteSeries,
): Promise<InventoryFacts> {
  const used: Partial<Record<NumberedKind, UsedNumber[]>> = {}
  for (const kind of kindsToNumber) used[kind] = await usedNumbers(sql, kind)
  const changed = metricReadings.flatMap((one) => {
    const seriesId = known.get(one.deviceUuid)?.[one.metric]
    return seriesId === undefined ? [] : [{ ...one, seriesId }]
  })
  const seriesIds = changed.map(({ seriesId }) => seriesId)
  const measured = new Set(seriesIds.length === 0 ? [] : await seriesWithReadings(sql, siteUuid, seriesIds))
  return {
    usedNumbers: used,
    siteHasReadings: siteReadings && (await seriesWithReadings(sql, siteUuid)).length > 0,
    measured: changed.filter(({ seriesId }) => measured.has(seriesId)),
  }
}
