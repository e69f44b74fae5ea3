import {
  decideAdded,
  decideNumbers,
  type Identified,
  type IdentifiedKind,
  type KnownIdentifier,
  needsFreeNumber,
} from '../../inventory/decide-identifiers.ts'
import type { Sql } from './connect.ts'

/** Makes identifiers the site's, or throws a `Conflict`. Returns the number of each. */
export async function claimIdentifiers(
  sql: Sql,
  siteUuid: string,
  kind: Exclude<IdentifiedKind, 'device'>,
  entries: readonly Identified[],
): Promise<Map<string, number>> {
  const known = await knownAmong(sql, kind, entries)
  const used = needsFreeNumber(entries, known) ? await usedLegacyIds(sql, kind) : new Set<number>()
  const { numbers, renumbered, added } = decideNumbers(siteUuid, kind, entries, known, used)
  await renumber(sql, kind, renumbered)
  await insert(sql, siteUuid, kind, added, numbers)
  return numbers
}

/** Devices have no number. */
export async function claimDevices(
  sql: Sql,
  siteUuid: string,
  entries: readonly Identified[],
): Promise<void> {
  const known = await knownAmong(sql, 'device', entries)
  await insert(sql, siteUuid, 'device', decideAdded(siteUuid, 'device', entries, known), new Map())
}

/** Whatever has one of these UUIDs or numbers. */
const knownAmong = (sql: Sql, kind: IdentifiedKind, entries: readonly Identified[]) => sql<KnownIdentifier[]>`
  SELECT uuid, site_uuid AS "siteUuid", legacy_id AS "legacyId" FROM identifiers
  WHERE kind = ${kind} AND (uuid = ANY(${entries.map(({ uuid }) => uuid)}::uuid[])
    OR legacy_id = ANY(${entries.flatMap(({ legacyId }) => legacyId ?? [])}::integer[]))`

/** Numbers are given to one site at a time. */
async function usedLegacyIds(sql: Sql, kind: IdentifiedKind): Promise<Set<number>> {
  await sql`SELECT 1 FROM installation FOR UPDATE`
  const rows = await sql<{ legacy_id: number }[]>`
    SELECT legacy_id FROM identifiers WHERE kind = ${kind} AND legacy_id IS NOT NULL`
  return new Set(rows.map((row) => row.legacy_id))
}

/** Those that change are out of the way first. */
async function renumber(
  sql: Sql,
  kind: IdentifiedKind,
  changed: readonly [uuid: string, number: number][],
): Promise<void> {
  if (changed.length === 0) return
  const uuids = changed.map(([uuid]) => uuid)
  await sql`UPDATE identifiers SET legacy_id = NULL WHERE kind = ${kind} AND uuid = ANY(${uuids}::uuid[])`
  for (const [uuid, number] of changed)
    await sql`UPDATE identifiers SET legacy_id = ${number} WHERE kind = ${kind} AND uuid = ${uuid}`
}

async function insert(
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
