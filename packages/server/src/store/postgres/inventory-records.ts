import { decideRecords, type StoredRecord } from '../../inventory/decide-records.ts'
import type { InventoryChanges } from '../../inventory/inventory.ts'
import type { Sql } from './connect.ts'
import { claimIdentifiers } from './identifiers.ts'

/** Buildings and spaces: a record with a number of version 1 each. */
export interface RecordKind<T> {
  kind: 'building' | 'space'
  table: 'buildings' | 'spaces'
  key: 'building_uuid' | 'space_uuid'
  toUuid(record: T): string
}

export async function applyRecords<T extends { legacyId: number | null }>(
  sql: Sql,
  { kind, table, key, toUuid }: RecordKind<T>,
  siteUuid: string,
  records: readonly T[],
  now: number,
): Promise<InventoryChanges> {
  const entries = records.map((record, index) => ({
    uuid: toUuid(record),
    legacyId: record.legacyId,
    field: `${table}.${index}`,
  }))
  const numbers = await claimIdentifiers(sql, siteUuid, kind, entries)
  const rows = await sql<(StoredRecord & { uuid: string })[]>`
    SELECT ${sql(key)} AS uuid, record, archived_at IS NOT NULL AS "isArchived" FROM ${sql(table)}
    WHERE site_uuid = ${siteUuid}`
  const stored = new Map(rows.map((row) => [row.uuid, row]))
  const { written, archived, changes } = decideRecords(records, toUuid, numbers, stored)
  await sql`
    INSERT INTO ${sql(table)} (site_uuid, ${sql(key)}, record)
    VALUES (${siteUuid}, unnest(${[...written.keys()]}::uuid[]), unnest(${[...written.values()]}::text[]))
    ON CONFLICT (site_uuid, ${sql(key)}) DO UPDATE SET record = excluded.record, archived_at = NULL`
  await sql`
    UPDATE ${sql(table)} SET archived_at = ${now}
    WHERE site_uuid = ${siteUuid} AND ${sql(key)} = ANY(${archived}::uuid[])`
  return changes
}
