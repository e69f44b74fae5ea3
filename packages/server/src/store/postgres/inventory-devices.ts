import {
  decideDevices,
  findChangedKinds,
  requireNoReadings,
  type StoredDeviceRow,
  type WrittenDevice,
} from '../../inventory/decide-devices.ts'
import type { InventoryChanges, InventoryDevice } from '../../inventory/inventory.ts'
import type { Placement } from '../../inventory/placement.ts'
import type { Sql } from './connect.ts'
import { claimDevices } from './identifiers.ts'
import { reopenDevices } from './reopen-devices.ts'
import { addSeries, seriesOfSite, type SiteSeries } from './series.ts'
import { seriesWithReadings } from './stored-readings.ts'

export async function applyDevices(
  sql: Sql,
  siteUuid: string,
  devices: readonly InventoryDevice[],
  now: number,
): Promise<InventoryChanges> {
  await claimDevices(
    sql,
    siteUuid,
    devices.map(({ deviceUuid }, index) => ({ uuid: deviceUuid, legacyId: null, field: `devices.${index}` })),
  )
  const stored = await storedDevices(sql, siteUuid)
  const known = await seriesOfSite(sql, siteUuid)
  await requireSameKinds(sql, siteUuid, devices, stored, known)
  const { written, series, moved, changes } = decideDevices(devices, stored, now)
  await write(sql, siteUuid, written)
  await addSeries(sql, siteUuid, known, series)
  await reopenDevices(sql, siteUuid, moved, now)
  return changes
}

async function storedDevices(sql: Sql, siteUuid: string): Promise<Map<string, StoredDeviceRow>> {
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

async function requireSameKinds(
  sql: Sql,
  siteUuid: string,
  devices: readonly InventoryDevice[],
  stored: ReadonlyMap<string, StoredDeviceRow>,
  known: SiteSeries,
): Promise<void> {
  const changed = findChangedKinds(devices, stored).flatMap((one) => {
    const seriesId = known.get(one.deviceUuid)?.[one.metric]
    return seriesId === undefined ? [] : [{ ...one, seriesId }]
  })
  if (changed.length === 0) return
  const measured = new Set(
    await seriesWithReadings(
      sql,
      siteUuid,
      changed.map(({ seriesId }) => seriesId),
    ),
  )
  requireNoReadings(changed, ({ seriesId }) => measured.has(seriesId))
}

async function write(sql: Sql, siteUuid: string, written: ReadonlyMap<string, WrittenDevice>): Promise<void> {
  const rows = [...written.values()]
  await sql`
    INSERT INTO devices (site_uuid, device_uuid, record, placements, archived_at)
    VALUES (${siteUuid}, unnest(${[...written.keys()]}::uuid[]), unnest(${rows.map(({ record }) => record)}::text[]),
      unnest(${rows.map(({ placements }) => JSON.stringify(placements))}::text[]),
      unnest(${rows.map(({ archivedAt }) => archivedAt)}::bigint[]))
    ON CONFLICT (site_uuid, device_uuid) DO UPDATE SET record = excluded.record, placements = excluded.placements,
      archived_at = excluded.archived_at`
}
