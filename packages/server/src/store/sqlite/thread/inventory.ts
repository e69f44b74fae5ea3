import type { DatabaseSync } from 'node:sqlite'
import type { AuditEntry } from '../../../audit/audit.ts'
import type {
  BuildingRecord,
  InventoryChanges,
  InventoryDocument,
  SiteRecord,
  SpaceRecord,
} from '../../../inventory/inventory.ts'
import type { ApplyOutcome } from '../../../inventory/store.ts'
import { recordAudit } from '../audit.ts'
import { Conflict } from '../../../inventory/conflict.ts'
import { addChanges, changesZone, decideRecords, decideSite } from '../../../inventory/decide-records.ts'
import { prepared } from '../connect.ts'
import { applyDevices } from './inventory-devices.ts'
import { storeInventoryChecksum, verifySite } from '../inventory-checksum.ts'
import { rowsBy, toStoredRecord } from '../inventory-rows.ts'
import { assignNumbers } from '../legacy-ids.ts'
import { text } from '../row.ts'
import { latestReadings } from '../stored-readings.ts'

export const inventoryWrites = {
  apply(db: DatabaseSync, siteUuid: string, document: InventoryDocument, entry: AuditEntry): ApplyOutcome {
    // Applying the document would rewrite only some of the rows, and the new checksum would hide damage in the others.
    verifySite(db, siteUuid)
    db.exec('SAVEPOINT apply_inventory')
    try {
      const changes = applyDocument(db, document, entry.at)
      if (changes.created + changes.updated + changes.archived > 0) {
        prepared(db, 'UPDATE sites SET inventory_version = inventory_version + 1 WHERE site_uuid = ?').run(
          siteUuid,
        )
        storeInventoryChecksum(db, siteUuid)
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

function applyDocument(
  db: DatabaseSync,
  { site, buildings, spaces, devices }: InventoryDocument,
  now: number,
): InventoryChanges {
  const { siteUuid } = site
  return [
    applySite(db, site),
    applyRecords(db, BUILDINGS, siteUuid, buildings, ({ buildingUuid }) => buildingUuid, now),
    applyRecords(db, SPACES, siteUuid, spaces, ({ spaceUuid }) => spaceUuid, now),
    applyDevices(db, siteUuid, devices, now),
  ].reduce(addChanges)
}

const SITES = { kind: 'site', table: 'sites', key: 'site_uuid' } as const
const BUILDINGS = { kind: 'building', table: 'buildings', key: 'building_uuid' } as const
const SPACES = { kind: 'space', table: 'spaces', key: 'space_uuid' } as const

function applySite(db: DatabaseSync, site: SiteRecord): InventoryChanges {
  const { siteUuid, siteName, timeZone, sandbox } = site
  const row = prepared(db, 'SELECT * FROM sites WHERE site_uuid = ?').get(siteUuid)
  const stored = row && { timeZone: text(row, 'time_zone'), record: text(row, 'record') }
  const entry = { uuid: siteUuid, legacyId: site.legacyId, field: 'site' }
  const legacyId = assignNumbers(db, SITES, siteUuid, [entry]).get(siteUuid)
  const hasReadings = changesZone(site, stored?.timeZone) && latestReadings(db, siteUuid).size > 0
  const { outcome, record } = decideSite(site, legacyId, stored, hasReadings)
  if (outcome !== 'unchanged')
    prepared(
      db,
      `INSERT INTO sites (site_uuid, site_name, time_zone, sandbox, legacy_id, record) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (site_uuid) DO UPDATE SET site_name = excluded.site_name, time_zone = excluded.time_zone,
         sandbox = excluded.sandbox, legacy_id = excluded.legacy_id, record = excluded.record`,
    ).run(siteUuid, siteName, timeZone, sandbox ? 1 : 0, legacyId ?? null, record)
  return { created: 0, updated: 0, archived: 0, unchanged: 0, [outcome]: 1 }
}

/** Buildings and spaces: a record with a legacy id each. */
function applyRecords<T extends BuildingRecord | SpaceRecord>(
  db: DatabaseSync,
  of: typeof BUILDINGS | typeof SPACES,
  siteUuid: string,
  records: readonly T[],
  toUuid: (record: T) => string,
  now: number,
): InventoryChanges {
  const { table, key } = of
  const entries = records.map((record, index) => ({
    uuid: toUuid(record),
    legacyId: record.legacyId,
    field: `${table}.${index}`,
  }))
  const stored = new Map(
    [...rowsBy(db, table, key, siteUuid)].map(([uuid, row]) => [uuid, toStoredRecord(row)]),
  )
  const numbers = assignNumbers(db, of, siteUuid, entries)
  const { written, archived, changes } = decideRecords(records, toUuid, numbers, stored)
  for (const [uuid, record] of written)
    prepared(
      db,
      `INSERT INTO ${table} (site_uuid, ${key}, legacy_id, record, archived_at) VALUES (?, ?, ?, ?, NULL)
       ON CONFLICT (site_uuid, ${key}) DO UPDATE SET legacy_id = excluded.legacy_id, record = excluded.record,
         archived_at = NULL`,
    ).run(siteUuid, uuid, numbers.get(uuid) ?? null, record)
  for (const uuid of archived)
    prepared(db, `UPDATE ${table} SET archived_at = ? WHERE site_uuid = ? AND ${key} = ?`).run(
      now,
      siteUuid,
      uuid,
    )
  return changes
}
