import type { AuditEntry } from '../../../domain/identity/audit.ts'
import { Conflict } from '../../../domain/estate/inventory/decide-identifiers.ts'
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
import { recordAudit } from '../identity/audit.ts'
import { at } from '../../../kernel/at.ts'
import { appendEvents } from '../events/event-rows.ts'
import type { Database, Sql } from '../pool/connect.ts'
import { insertIdentifiers, writeNumbers } from './identifiers.ts'
import { loadFacts, loadState } from './inventory-state.ts'
import { seriesOfSite, addSeries, type SiteSeries } from './series.ts'
import type { DeviceDecision } from '../../../domain/estate/inventory/decide-devices.ts'
import { reopenDevices } from '../rollups/invalidate-devices.ts'

/** A conflict is thrown to roll back: a second attempt may find it after the first one has written identifiers. */
export async function applyInventory(
  db: Database,
  document: InventoryDocument,
  entry: AuditEntry,
): Promise<ApplyOutcome> {
  try {
    return await db.write((sql) => apply(sql, document, entry), { retryOnDuplicate: true })
  } catch (error) {
    if (!(error instanceof Conflict)) throw error
    return { outcome: 'conflict', field: error.field, message: error.message }
  }
}

/** Takes the locks of `apply` and writes nothing. */
export const planInventory = (
  db: Database,
  document: InventoryDocument,
  entry: AuditEntry,
): Promise<PlanOutcome> =>
  db.write(async (sql) => {
    const { state, decision } = await decide(sql, document, entry)
    return toPlan(state, decision)
  })

async function decide(
  sql: Sql,
  document: InventoryDocument,
  entry: AuditEntry,
): Promise<{
  state: InventoryState
  known: SiteSeries
  decision: InventoryDecision | InventoryConflict
}> {
  const { siteUuid } = document.site
  const state = await loadState(sql, document)
  const known = await seriesOfSite(sql, siteUuid)
  const facts = await loadFacts(sql, siteUuid, findNeededFacts(state, document), known)
  return { state, known, decision: decideInventory(state, facts, document, entry) }
}

async function apply(sql: Sql, document: InventoryDocument, entry: AuditEntry): Promise<ApplyOutcome> {
  const { site } = document
  const { siteUuid } = site
  const { known, decision } = await decide(sql, document, entry)
  if (decision.outcome === 'conflict') throw new Conflict(decision.field, decision.message)
  const { numbers, changes, audit } = decision
  await writeNumbers(sql, siteUuid, 'site', numbers.site)
  // Another transaction has created the site meanwhile: now its row can be locked and loaded.
  if (!(await writeSite(sql, site, decision.site))) return apply(sql, document, entry)
  await writeNumbers(sql, siteUuid, 'building', numbers.building)
  await writeRecords(sql, 'buildings', 'building_uuid', siteUuid, decision.buildings, entry.at)
  await writeNumbers(sql, siteUuid, 'space', numbers.space)
  await writeRecords(sql, 'spaces', 'space_uuid', siteUuid, decision.spaces, entry.at)
  await insertIdentifiers(sql, siteUuid, 'device', decision.addedDevices, new Map())
  await writeDevices(sql, siteUuid, decision.devices, known, entry.at)
  if (audit) {
    const rows = await sql<{ version: number }[]>`
      UPDATE sites SET inventory_version = inventory_version + 1 WHERE site_uuid = ${siteUuid}
      RETURNING inventory_version AS version`
    await recordAudit(sql, audit)
    await appendEvents(sql, siteUuid, [toInventoryEvent(decision, audit.at, at(rows, 0).version)])
  }
  return { outcome: 'applied', changes }
}

/** Returns false if the site was to be created and exists already. */
async function writeSite(
  sql: Sql,
  { siteUuid, siteName, timeZone, sandbox }: SiteRecord,
  { outcome, record }: SiteDecision,
): Promise<boolean> {
  if (outcome === 'updated')
    await sql`
      UPDATE sites SET site_name = ${siteName}, time_zone = ${timeZone}, sandbox = ${sandbox}, record = ${record}
      WHERE site_uuid = ${siteUuid}`
  if (outcome !== 'created') return true
  const created = await sql`
    INSERT INTO sites (site_uuid, site_name, time_zone, sandbox, record)
    VALUES (${siteUuid}, ${siteName}, ${timeZone}, ${sandbox}, ${record})
    ON CONFLICT (site_uuid) DO NOTHING RETURNING site_uuid`
  return created.length > 0
}

/** Writes buildings or spaces, each of which has an id of version 1. */
async function writeRecords(
  sql: Sql,
  table: 'buildings' | 'spaces',
  key: 'building_uuid' | 'space_uuid',
  siteUuid: string,
  { written, archived }: RecordDecision,
  now: number,
): Promise<void> {
  await sql`
    INSERT INTO ${sql(table)} (site_uuid, ${sql(key)}, record)
    VALUES (${siteUuid}, unnest(${[...written.keys()]}::uuid[]), unnest(${[...written.values()]}::text[]))
    ON CONFLICT (site_uuid, ${sql(key)}) DO UPDATE SET record = excluded.record, archived_at = NULL`
  await sql`
    UPDATE ${sql(table)} SET archived_at = ${now}
    WHERE site_uuid = ${siteUuid} AND ${sql(key)} = ANY(${archived}::uuid[])`
}

async function writeDevices(
  sql: Sql,
  siteUuid: string,
  { written, series, moved }: DeviceDecision,
  known: SiteSeries,
  now: number,
): Promise<void> {
  const rows = [...written.values()]
  await sql`
    INSERT INTO devices (site_uuid, device_uuid, record, placements, archived_at)
    VALUES (${siteUuid}, unnest(${[...written.keys()]}::uuid[]), unnest(${rows.map(({ record }) => record)}::text[]),
      unnest(${rows.map(({ placements }) => JSON.stringify(placements))}::text[]),
      unnest(${rows.map(({ archivedAt }) => archivedAt)}::bigint[]))
    ON CONFLICT (site_uuid, device_uuid) DO UPDATE SET record = excluded.record, placements = excluded.placements,
      archived_at = excluded.archived_at`
  await addSeries(sql, siteUuid, known, series)
  await reopenDevices(sql, siteUuid, moved, now)
}
