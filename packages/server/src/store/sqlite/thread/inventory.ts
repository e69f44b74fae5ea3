import type { DatabaseSync } from 'node:sqlite'
import type { AuditEntry } from '../../../domain/identity/audit.ts'
import {
  decideInventory,
  findNeededFacts,
  type InventoryConflict,
  type InventoryDecision,
  type InventoryState,
} from '../../../domain/estate/inventory/decide-inventory.ts'
import { toInventoryEvent } from '../../../domain/estate/inventory/inventory-event.ts'
import { toPlan } from '../../../domain/estate/inventory/plan.ts'
import type { RecordDecision, SiteDecision } from '../../../domain/estate/inventory/decide-records.ts'
import type { InventoryDocument, SiteRecord } from '../../../domain/estate/inventory/inventory.ts'
import type { ApplyOutcome, PlanOutcome } from '../../../domain/estate/inventory/store.ts'
import { recordAudit } from '../identity/record-audit.ts'
import { prepareOnce } from '../connect.ts'
import { appendEvents } from '../events/event-rows.ts'
import { storeInventoryChecksum, verifySite } from '../inventory/inventory-checksum.ts'
import { integer } from '../row.ts'
import { inKeyOrder } from '../inventory/key-order.ts'
import { loadFacts, loadState } from './inventory-state.ts'
import { BUILDINGS, freeNumbers, type RecordTable, SITES, SPACES } from '../inventory/legacy-ids.ts'
import type { DeviceDecision } from '../../../domain/estate/inventory/decide-devices.ts'
import { reopenDevice } from './invalidate-devices.ts'

export const inventoryWrites = {
  apply(db: DatabaseSync, siteUuid: string, document: InventoryDocument, entry: AuditEntry): ApplyOutcome {
    const { site } = document
    const { decision } = decide(db, siteUuid, document, entry)
    if (decision.outcome === 'conflict') return decision
    const { numbers, changes, audit } = decision
    for (const table of [SITES, BUILDINGS, SPACES]) freeNumbers(db, table, numbers[table.kind])
    writeSite(db, site, numbers.site.numbers.get(siteUuid), decision.site)
    writeRecords(db, BUILDINGS, siteUuid, numbers.building.numbers, decision.buildings, entry.at)
    writeRecords(db, SPACES, siteUuid, numbers.space.numbers, decision.spaces, entry.at)
    writeDevices(db, siteUuid, decision.devices, entry.at)
    if (audit) {
      const version = incrementVersion(db, siteUuid)
      storeInventoryChecksum(db, siteUuid)
      recordAudit(db, audit)
      appendEvents(db, siteUuid, [toInventoryEvent(decision, audit.at, version)])
    }
    return { outcome: 'applied', changes }
  },
  plan(db: DatabaseSync, siteUuid: string, document: InventoryDocument, entry: AuditEntry): PlanOutcome {
    const { state, decision } = decide(db, siteUuid, document, entry)
    return toPlan(state, decision)
  },
}

function decide(
  db: DatabaseSync,
  siteUuid: string,
  document: InventoryDocument,
  entry: AuditEntry,
): { state: InventoryState; decision: InventoryDecision | InventoryConflict } {
  // Applying the document would rewrite only some of the rows, and the new checksum would hide damage in the others.
  const state = loadState(db, verifySite(db, siteUuid), document)
  const facts = loadFacts(db, siteUuid, findNeededFacts(state, document))
  return { state, decision: decideInventory(state, facts, document, entry) }
}

function incrementVersion(db: DatabaseSync, siteUuid: string): number {
  const row = prepareOnce(
    db,
    'UPDATE sites SET inventory_version = inventory_version + 1 WHERE site_uuid = ? RETURNING inventory_version',
  ).get(siteUuid)
  return integer(row ?? {}, 'inventory_version')
}

function writeSite(
  db: DatabaseSync,
  { siteUuid, siteName, timeZone, sandbox }: SiteRecord,
  legacyId: number | undefined,
  { outcome, record }: SiteDecision,
): void {
  if (outcome === 'unchanged') return
  prepareOnce(
    db,
    `INSERT INTO sites (site_uuid, site_name, time_zone, sandbox, legacy_id, record) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (site_uuid) DO UPDATE SET site_name = excluded.site_name, time_zone = excluded.time_zone,
       sandbox = excluded.sandbox, legacy_id = excluded.legacy_id, record = excluded.record`,
  ).run(siteUuid, siteName, timeZone, sandbox ? 1 : 0, legacyId ?? null, record)
}

/** Writes buildings or spaces, each of which has an id of version 1. */
function writeRecords(
  db: DatabaseSync,
  { table, key }: RecordTable,
  siteUuid: string,
  numbers: ReadonlyMap<string, number>,
  { written, archived }: RecordDecision,
  now: number,
): void {
  for (const [uuid, record] of inKeyOrder(written, ([writtenUuid]) => writtenUuid))
    prepareOnce(
      db,
      `INSERT INTO ${table} (site_uuid, ${key}, legacy_id, record, archived_at) VALUES (?, ?, ?, ?, NULL)
       ON CONFLICT (site_uuid, ${key}) DO UPDATE SET legacy_id = excluded.legacy_id, record = excluded.record,
         archived_at = NULL`,
    ).run(siteUuid, uuid, numbers.get(uuid) ?? null, record)
  for (const uuid of archived)
    prepareOnce(db, `UPDATE ${table} SET archived_at = ? WHERE site_uuid = ? AND ${key} = ?`).run(
      now,
      siteUuid,
      uuid,
    )
}

function writeDevices(
  db: DatabaseSync,
  siteUuid: string,
  { written, series, moved }: DeviceDecision,
  now: number,
): void {
  for (const [deviceUuid, { record, placements, archivedAt }] of inKeyOrder(written, ([uuid]) => uuid))
    prepareOnce(
      db,
      `INSERT INTO devices (site_uuid, device_uuid, record, placements, archived_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (site_uuid, device_uuid) DO UPDATE SET record = excluded.record, placements = excluded.placements,
         archived_at = excluded.archived_at`,
    ).run(siteUuid, deviceUuid, record, JSON.stringify(placements), archivedAt)
  for (const { subject, metric } of inKeyOrder(series, (one) => one.subject))
    prepareOnce(
      db,
      'INSERT INTO series (site_uuid, subject_uuid, metric) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    ).run(siteUuid, subject, metric)
  for (const device of moved) reopenDevice(db, siteUuid, device, now)
}
