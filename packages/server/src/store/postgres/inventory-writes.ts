import type { AuditEntry } from '../../audit/audit.ts'
import { Conflict } from '../../inventory/conflict.ts'
import { addChanges, changesZone, decideSite } from '../../inventory/decide-records.ts'
import type {
  BuildingRecord,
  InventoryChanges,
  InventoryDocument,
  SiteRecord,
  SpaceRecord,
} from '../../inventory/inventory.ts'
import type { ApplyOutcome } from '../../inventory/store.ts'
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
  toUuid: ({ buildingUuid }) => buildingUuid,
}

const SPACES: RecordKind<SpaceRecord> = {
  kind: 'space',
  table: 'spaces',
  key: 'space_uuid',
  toUuid: ({ spaceUuid }) => spaceUuid,
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
  const { siteUuid } = site
  const changes = [
    await applySite(sql, site),
    await applyRecords(sql, BUILDINGS, siteUuid, buildings, entry.at),
    await applyRecords(sql, SPACES, siteUuid, spaces, entry.at),
    await applyDevices(sql, siteUuid, devices, entry.at),
  ].reduce(addChanges)
  if (changes.created + changes.updated + changes.archived > 0) {
    await sql`UPDATE sites SET inventory_version = inventory_version + 1 WHERE site_uuid = ${siteUuid}`
    await recordAudit(sql, { ...entry, detail: { ...entry.detail, ...changes } })
  }
  return changes
}

/** Whoever applies a document of this site waits here for whoever is at it. */
async function applySite(sql: Sql, site: SiteRecord): Promise<InventoryChanges> {
  const { siteUuid, siteName, timeZone, sandbox } = site
  const [stored] = await sql<{ timeZone: string; record: string }[]>`
    SELECT time_zone AS "timeZone", record FROM sites WHERE site_uuid = ${siteUuid} FOR NO KEY UPDATE`
  const numbers = await claimIdentifiers(sql, siteUuid, 'site', [
    { uuid: siteUuid, legacyId: site.legacyId, field: 'site' },
  ])
  const hasReadings =
    changesZone(site, stored?.timeZone) && (await seriesWithReadings(sql, siteUuid)).length > 0
  const { outcome, record } = decideSite(site, numbers.get(siteUuid), stored, hasReadings)
  if (outcome === 'updated')
    await sql`
      UPDATE sites SET site_name = ${siteName}, time_zone = ${timeZone}, sandbox = ${sandbox}, record = ${record}
      WHERE site_uuid = ${siteUuid}`
  if (outcome === 'created') {
    const made = await sql`
      INSERT INTO sites (site_uuid, site_name, time_zone, sandbox, record)
      VALUES (${siteUuid}, ${siteName}, ${timeZone}, ${sandbox}, ${record})
      ON CONFLICT (site_uuid) DO NOTHING RETURNING site_uuid`
    // Another has made it since this one looked: then it is there to be waited for.
    if (made.length === 0) return applySite(sql, site)
  }
  return { created: 0, updated: 0, archived: 0, unchanged: 0, [outcome]: 1 }
}
