import type { DatabaseSync } from 'node:sqlite'
import type { AuditEntry } from '../../audit/audit.ts'
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
import { Conflict } from '../../inventory/conflict.ts'
import { prepared } from './connect.ts'
import { applyDevices } from './inventory-devices.ts'
import { storeInventoryChecksum, verifySite } from './inventory-checksum.ts'
import { archiveRest, refuseForeign, rowsBy } from './inventory-rows.ts'
import { legacyIdFor, parkChangedIds } from './legacy-ids.ts'
import { text } from './row.ts'
import { latestReadings } from './stored-readings.ts'

export const inventoryWrites = {
  applyInventory(db: DatabaseSync, document: InventoryDocument, entry: AuditEntry): ApplyOutcome {
    // Applying the document would rewrite only some of the rows, and the new checksum would hide damage in the others.
    verifySite(db, document.site.siteUuid)
    db.exec('SAVEPOINT apply_inventory')
    try {
      const changes = apply(db, document, entry.at)
      if (changes.created + changes.updated + changes.archived > 0) {
        prepared(db, 'UPDATE sites SET inventory_version = inventory_version + 1 WHERE site_uuid = ?').run(
          document.site.siteUuid,
        )
        storeInventoryChecksum(db, document.site.siteUuid)
        recordAudit(db, { ...entry, detail: { ...entry.detail, ...changes } })
      }
      db.exec('RELEASE apply_inventory')
      return { outcome: 'applied', changes }
    } catch (error) {
      if (!(error instanceof Conflict)) throw error
      db.exec('ROLLBACK TO apply_inventory')
      db.exec('RELEASE apply_inventory')
      return { outcome: 'conflict', field: error.field, message: error.message }
    }
  },
}

function apply(
  db: DatabaseSync,
  { site, buildings, spaces, devices }: InventoryDocument,
  now: number,
): InventoryChanges {
  const changes: InventoryChanges = { created: 0, updated: 0, archived: 0, unchanged: 0 }
  applySite(db, site, changes)
  applyRecords(
    db,
    'buildings',
    'building_uuid',
    site.siteUuid,
    buildings,
    ({ buildingUuid }) => buildingUuid,
    now,
    changes,
  )
  applyRecords(db, 'spaces', 'space_uuid', site.siteUuid, spaces, ({ spaceUuid }) => spaceUuid, now, changes)
  applyDevices(db, site.siteUuid, devices, now, changes)
  return changes
}

function applySite(db: DatabaseSync, site: SiteRecord, changes: InventoryChanges): void {
  const row = prepared(db, 'SELECT * FROM sites WHERE site_uuid = ?').get(site.siteUuid)
  const legacyId = legacyIdFor(db, 'sites', 'site_uuid', site.siteUuid, site.legacyId, row, 'site')
  const record = JSON.stringify({ ...site, legacyId })
  if (row && text(row, 'record') === record) {
    changes.unchanged += 1
    return
  }
  if (row && zoneOf(text(row, 'time_zone')).name !== site.timeZone && hasReadings(db, site.siteUuid)) {
    throw new Conflict('site.timeZone', 'cannot change once there are readings')
  }
  prepared(
    db,
    `INSERT INTO sites (site_uuid, site_name, time_zone, sandbox, legacy_id, record) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (site_uuid) DO UPDATE SET site_name = excluded.site_name, time_zone = excluded.time_zone,
       sandbox = excluded.sandbox, legacy_id = excluded.legacy_id, record = excluded.record`,
  ).run(site.siteUuid, site.siteName, site.timeZone, site.sandbox ? 1 : 0, legacyId, record)
  changes[row ? 'updated' : 'created'] += 1
}

const hasReadings = (db: DatabaseSync, siteUuid: string): boolean => latestReadings(db, siteUuid).size > 0

/** Buildings and spaces: a record with a legacy id each. */
function applyRecords<T extends BuildingRecord | SpaceRecord>(
  db: DatabaseSync,
  table: 'buildings' | 'spaces',
  key: 'building_uuid' | 'space_uuid',
  siteUuid: string,
  records: readonly T[],
  uuidOf: (record: T) => string,
  now: number,
  changes: InventoryChanges,
): void {
  const current = rowsBy(db, table, key, siteUuid)
  const reserved = new Set(records.flatMap(({ legacyId }) => legacyId ?? []))
  const given = new Map(records.map((record) => [uuidOf(record), record.legacyId]))
  parkChangedIds(db, table, key, given, current)
  records.forEach((given, index) => {
    const uuid = uuidOf(given)
    const row = current.get(uuid)
    current.delete(uuid)
    refuseForeign(db, table, key, siteUuid, uuid, `${table}.${index}`)
    const legacyId = legacyIdFor(db, table, key, uuid, given.legacyId, row, `${table}.${index}`, reserved)
    const record = JSON.stringify({ ...given, legacyId })
    if (row && text(row, 'record') === record && row['archived_at'] === null) {
      changes.unchanged += 1
      return
    }
    prepared(
      db,
      `INSERT INTO ${table} (site_uuid, ${key}, legacy_id, record, archived_at) VALUES (?, ?, ?, ?, NULL)
       ON CONFLICT (site_uuid, ${key}) DO UPDATE SET legacy_id = excluded.legacy_id, record = excluded.record,
         archived_at = NULL`,
    ).run(siteUuid, uuid, legacyId, record)
    changes[row ? 'updated' : 'created'] += 1
  })
  archiveRest(db, table, key, siteUuid, current, now, changes)
}
