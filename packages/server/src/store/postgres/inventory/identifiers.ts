import type {
  IdentifiedRecord,
  IdentifiedKind,
  KnownIdentifier,
  NumberDecision,
  NumberedKind,
  UsedNumber,
} from '../../../domain/estate/inventory/decide-identifiers.ts'
import type { Sql } from '../pool/connect.ts'

/** Identifiers of any site with one of these UUIDs or ids of version 1. */
export const knownIdentifiers = (sql: Sql, kind: IdentifiedKind, entries: readonly IdentifiedRecord[]) => sql<
  KnownIdentifier[]
>`
  SELECT uuid, site_uuid AS "siteUuid", legacy_id AS "legacyId" FROM identifiers
  WHERE kind = ${kind} AND (uuid = ANY(${entries.map(({ uuid }) => uuid)}::uuid[])
    OR legacy_id = ANY(${entries.flatMap(({ legacyId }) => legacyId ?? [])}::integer[]))`

/** All ids of version 1 in use. Takes a lock: ids are assigned by one transaction at a time. */
export async function usedNumbers(sql: Sql, kind: NumberedKind): Promise<UsedNumber[]> {
  await sql`SELECT 1 FROM installation FOR UPDATE`
  return sql<UsedNumber[]>`
    SELECT uuid, legacy_id AS number FROM identifiers WHERE kind = ${kind} AND legacy_id IS NOT NULL`
}

export async function writeNumbers(
  sql: Sql,
  siteUuid: string,
  kind: NumberedKind,
  { renumbered, added, numbers }: NumberDecision,
): Promise<void> {
  await renumber(sql, kind, renumbered)
  await insertIdentifiers(sql, siteUuid, kind, added, numbers)
}

/** Clears the ids that change first, so that two records can swap theirs. */
async function renumber(
  sql: Sql,
  kind: NumberedKind,
  changed: readonly [uuid: string, number: number][],
): Promise<void> {
  if (changed.length === 0) return
  const uuids = changed.map(([uuid]) => uuid)
  await sql`UPDATE identifiers SET legacy_id = NULL WHERE kind = ${kind} AND uuid = ANY(${uuids}::uuid[])`
  for (const [uuid, number] of changed)
    await sql`UPDATE identifiers SET legacy_id = ${number} WHERE kind = ${kind} AND uuid = ${uuid}`
}

export async function insertIdentifiers(
  sql: Sql,
  siteUuid: string,
  kind: IdentifiedKind,
  uuids: readonly string[],
  numbers: ReadonlyMap<string, number>,
): Promise<void> {
  if (uuids.length === 0) return
  await sql`
    INSERT INTO identifiers (kind, uuid, site_uuid, legacy_id)
    VALUES (${kind}, unnest(${uuids}::uuid[]), ${siteUuid},
      unnest(${uuids.map((uuid) => numbers.get(uuid) ?? null)}::integer[]))`
}
