import type { InventoryChanges } from '../../inventory/inventory.ts'
import type { Sql } from './connect.ts'
import { claimIdentifiers } from './identifiers.ts'

/** Buildings and spaces: a record with a number of version 1 each. */
export interface RecordKind<T> {
  kind: 'building' | 'space'
  table: 'buildings' | 'spaces'
  key: 'building_uuid' | 'space_uuid'
  uuidOf(record: T): string
}

interface Row {
  uuid: string
  record: string
  isArchived: boolean
}

export async function applyRecords<T extends { legacyId: number | null }>(
  sql: Sql,
  { kind, table, key, uuidOf }: RecordKind<T>,
  siteUuid: string,
  records: readonly T[],
  now: number,
  changes: InventoryChanges,
): Promise<void> {
  const things = records.map((record, index) => ({
    uuid: uuidOf(record),
    legacyId: record.legacyId,
    field: `${table}.${index}`,
  }))
  const numbers = await claimIdentifiers(sql, siteUuid, kind, things)
  const rows = await sql<Row[]>`
    SELECT ${sql(key)} AS uuid, record, archived_at IS NOT NULL AS "isArchived" FROM ${sql(table)}
    WHERE site_uuid = ${siteUuid}`
  const current = new Map(rows.map((row) => [row.uuid, row]))
  const written = new Map<string, string>()
  for (const given of records) {
    const uuid = uuidOf(given)
    const row = current.get(uuid)
    current.delete(uuid)
    const record = JSON.stringify({ ...given, legacyId: numbers.get(uuid) })
    if (row?.record === record && !row.isArchived) changes.unchanged += 1
    else {
      written.set(uuid, record)
      changes[row ? 'updated' : 'created'] += 1
    }
  }
  await sql`
    INSERT INTO ${sql(table)} (site_uuid, ${sql(key)}, record)
    VALUES (${siteUuid}, unnest(${[...written.keys()]}::uuid[]), unnest(${[...written.values()]}::text[]))
    ON CONFLICT (site_uuid, ${sql(key)}) DO UPDATE SET record = excluded.record, archived_at = NULL`
  const gone = [...current.values()].filter(({ isArchived }) => !isArchived).map(({ uuid }) => uuid)
  await sql`
    UPDATE ${sql(table)} SET archived_at = ${now}
    WHERE site_uuid = ${siteUuid} AND ${sql(key)} = ANY(${gone}::uuid[])`
  changes.archived += gone.length
}
