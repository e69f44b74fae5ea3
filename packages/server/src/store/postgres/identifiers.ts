import { Conflict } from '../../inventory/conflict.ts'
import { freeLegacyId } from '../../inventory/legacy-ids.ts'
import type { Sql } from './connect.ts'

export type Kind = 'site' | 'building' | 'space' | 'device'

/** A thing of the document: who it is, the number it asks for, and where it stands. */
export interface Identified {
  uuid: string
  legacyId: number | null
  field: string
}

interface Row {
  uuid: string
  site_uuid: string
  legacy_id: number | null
}

/**
 * Makes identifiers the site's, or refuses those that another has. Answers with the number of each: the one given, else the
 * one it has, else a free one.
 */
export async function claimIdentifiers(
  sql: Sql,
  siteUuid: string,
  kind: Exclude<Kind, 'device'>,
  things: readonly Identified[],
): Promise<Map<string, number>> {
  const known = await knownAmong(sql, kind, things)
  refuseForeign(siteUuid, kind, things, known)
  refuseTaken(things, known)
  const has = new Map(known.map((row) => [row.uuid, row.legacy_id]))
  const isUnnumbered = things.some(({ uuid, legacyId }) => (legacyId ?? has.get(uuid)) == null)
  const used = isUnnumbered ? await usedLegacyIds(sql, kind) : new Set<number>()
  for (const { legacyId } of things) if (legacyId !== null) used.add(legacyId)
  const numbers = new Map<string, number>()
  for (const { uuid, legacyId } of things) {
    const number = legacyId ?? has.get(uuid) ?? freeLegacyId(used)
    used.add(number)
    numbers.set(uuid, number)
  }
  await renumber(
    sql,
    kind,
    [...numbers].filter(([uuid, number]) => has.has(uuid) && has.get(uuid) !== number),
  )
  await insert(
    sql,
    siteUuid,
    kind,
    things.filter(({ uuid }) => !has.has(uuid)),
    numbers,
  )
  return numbers
}

/** Devices have no number. */
export async function claimDevices(sql: Sql, siteUuid: string, things: readonly Identified[]): Promise<void> {
  const known = await knownAmong(sql, 'device', things)
  refuseForeign(siteUuid, 'device', things, known)
  const has = new Set(known.map(({ uuid }) => uuid))
  await insert(
    sql,
    siteUuid,
    'device',
    things.filter(({ uuid }) => !has.has(uuid)),
    new Map(),
  )
}

/** Whatever has one of these UUIDs or numbers. */
const knownAmong = (sql: Sql, kind: Kind, things: readonly Identified[]) => sql<Row[]>`
  SELECT uuid, site_uuid, legacy_id FROM identifiers
  WHERE kind = ${kind} AND (uuid = ANY(${things.map(({ uuid }) => uuid)}::uuid[])
    OR legacy_id = ANY(${things.flatMap(({ legacyId }) => legacyId ?? [])}::integer[]))`

function refuseForeign(
  siteUuid: string,
  kind: Kind,
  things: readonly Identified[],
  known: readonly Row[],
): void {
  const foreign = new Set(known.filter((row) => row.site_uuid !== siteUuid).map((row) => row.uuid))
  const stolen = things.find(({ uuid }) => foreign.has(uuid))
  if (stolen) throw new Conflict(`${stolen.field}.${kind}Uuid`, 'belongs to another site')
}

/** A number is free when nobody has it, or who has it gets another by the same document: two may exchange theirs. */
function refuseTaken(things: readonly Identified[], known: readonly Row[]): void {
  const given = new Map(things.map(({ uuid, legacyId }) => [uuid, legacyId]))
  const holders = new Map(known.map((row) => [row.legacy_id, row.uuid]))
  const taking = things.find(({ uuid, legacyId }) => {
    const holder = legacyId === null ? undefined : holders.get(legacyId)
    return holder !== undefined && holder !== uuid && (given.get(holder) ?? legacyId) === legacyId
  })
  if (taking) throw new Conflict(`${taking.field}.legacyId`, 'is used by another')
}

/** Numbers are given to one site at a time. */
async function usedLegacyIds(sql: Sql, kind: Kind): Promise<Set<number>> {
  await sql`SELECT 1 FROM installation FOR UPDATE`
  const rows = await sql<{ legacy_id: number }[]>`
    SELECT legacy_id FROM identifiers WHERE kind = ${kind} AND legacy_id IS NOT NULL`
  return new Set(rows.map((row) => row.legacy_id))
}

/** Those that change are out of the way first. */
async function renumber(
  sql: Sql,
  kind: Kind,
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
  kind: Kind,
  things: readonly Identified[],
  numbers: ReadonlyMap<string, number>,
): Promise<void> {
  if (things.length === 0) return
  const uuids = things.map(({ uuid }) => uuid)
  await sql`
    INSERT INTO identifiers (kind, uuid, site_uuid, legacy_id)
    VALUES (${kind}, unnest(${uuids}::uuid[]), ${siteUuid},
      unnest(${uuids.map((uuid) => numbers.get(uuid) ?? null)}::integer[]))`
}
