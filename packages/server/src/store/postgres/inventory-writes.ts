import type { AuditEntry } from '../../audit/audit.ts'
import { Conflict } from '../../inventory/conflict.ts'
import type {
  BuildingRecord,
  InventoryChanges,
  InventoryDocument,
  SiteRecord,
  SpaceRecord,
} from '../../inventory/inventory.ts'
import type { ApplyOutcome } from '../../inventory/store.ts'
import { zoneOf } from '../../lib/zone.ts'
import { recordAudit } from './audit.ts'
import type { Database, Sql } from './connect.ts'
import { claimIdentifiers } from './identifiers.ts'
import { applyDevices } from './inventory-devices.ts'
import { applyRecords, type RecordKind } from './inventory-records.ts'
import { seriesWithReadings } from './stored-readings.ts'

const BUILDINGS: RecordKind<BuildingRecord> = {
  kind: 'building',
  table: 'buildings',
  key: 'building_uuid',
  uuidOf: ({ buildingUuid }) => buildingUuid,
}

const SPACES: RecordKind<SpaceRecord> = {
  kind: 'space',
  table: 'spaces',
  key: 'space_uuid',
  uuidOf: ({ spaceUuid }) => spaceUuid,
}

export async function applyInventory(
  db: Database,
  document: InventoryDocument,
  entry: AuditEntry,
): Promise<ApplyOutcome> {
  try {
    const changes = await db.write((sql) => apply(sql, document, entry), { repeatsTaken: true })
    return { outcome: 'applied', changes }
  } catch (error) {
    if (!(error instanceof Conflict)) throw error
    return { outcome: 'conflict', field: error.field, message: error.message }
  }
}

async function apply(
  sql: Sql,
  { site, buildings, spaces, devices }: InventoryDocument,
  entry: AuditEntry,
): Promise<InventoryChanges> {
  const changes: InventoryChanges = { created: 0, updated: 0, archived: 0, unchanged: 0 }
  const { siteUuid } = site
  await applySite(sql, site, changes)
  await applyRecords(sql, BUILDINGS, siteUuid, buildings, entry.at, changes)
  await applyRecords(sql, SPACES, siteUuid, spaces, entry.at, changes)
  await applyDevices(sql, siteUuid, devices, entry.at, changes)
  if (changes.created + changes.updated + changes.archived > 0) {
    await sql`UPDATE sites SET inventory_version = inventory_version + 1 WHERE site_uuid = ${siteUuid}`
    await recordAudit(sql, { ...entry, detail: { ...entry.detail, ...changes } })
  }
  return changes
}

/** Whoever applies a document of this site waits here for whoever is at it. */
async function applySite(sql: Sql, site: SiteRecord, changes: InventoryChanges): Promise<void> {
  const { siteUuid, siteName, timeZone, sandbox } = site
  const [row] = await sql<{ time_zone: string; record: string }[]>`
    SELECT time_zone, record FROM sites WHERE site_uuid = ${siteUuid} FOR NO KEY UPDATE`
  const numbers = await claimIdentifiers(sql, siteUuid, 'site', [
    { uuid: siteUuid, legacyId: site.legacyId, field: 'site' },
  ])
  const record = JSON.stringify({ ...site, legacyId: numbers.get(siteUuid) })
  if (row?.record === record) {
    changes.unchanged += 1
    return
  }
  if (row && zoneOf(row.time_zone).name !== timeZone && (await seriesWithReadings(sql, siteUuid)).length > 0)
    throw new Conflict('site.timeZone', 'cannot change once there are readings')
  if (row) {
    await sql`
      UPDATE sites SET site_name = ${siteName}, time_zone = ${timeZone}, sandbox = ${sandbox}, record = ${record}
      WHERE site_uuid = ${siteUuid}`
    changes.updated += 1
    return
  }
  const made = await sql`
    INSERT INTO sites (site_uuid, site_name, time_zone, sandbox, record)
    VALUES (${siteUuid}, ${siteName}, ${timeZone}, ${sandbox}, ${record})
    ON CONFLICT (site_uuid) DO NOTHING RETURNING site_uuid`
  // Another has made it since this one looked: then it is there to be waited for.
  if (made.length === 0) return applySite(sql, site, changes)
  changes.created += 1
}
