import type { DatabaseSync } from 'node:sqlite'
import {
  decideNumbers,
  type Identified,
  type IdentifiedKind,
  type KnownIdentifier,
  needsFreeNumber,
} from '../../inventory/decide-identifiers.ts'
import { prepared } from './connect.ts'
import { integer, type Row, text } from './row.ts'

/** A table whose rows have a UUID; all but devices also have a number of version 1. */
export interface IdentifiedTable {
  kind: IdentifiedKind
  table: 'sites' | 'buildings' | 'spaces' | 'devices'
  key: 'site_uuid' | 'building_uuid' | 'space_uuid' | 'device_uuid'
}

type NumberedTable = IdentifiedTable & { kind: Exclude<IdentifiedKind, 'device'> }

/** The rows of any site that have one of these UUIDs or numbers. */
export const knownIdentifiers = (
  db: DatabaseSync,
  { kind, table, key }: IdentifiedTable,
  entries: readonly Identified[],
): KnownIdentifier[] => {
  const toKnown = (row: Row): KnownIdentifier => ({
    uuid: text(row, key),
    siteUuid: text(row, 'site_uuid'),
    legacyId: kind === 'device' ? null : integer(row, 'legacy_id'),
  })
  return entries.flatMap(({ uuid, legacyId }) => {
    const own = prepared(db, `SELECT * FROM ${table} WHERE ${key} = ?`).all(uuid)
    const holders =
      legacyId === null ? [] : prepared(db, `SELECT * FROM ${table} WHERE legacy_id = ?`).all(legacyId)
    return [...own, ...holders].map(toKnown)
  })
}

/** Decides the number of each entry. Rows that get another number give up theirs, so that two of a document can swap. */
export function assignNumbers(
  db: DatabaseSync,
  of: NumberedTable,
  siteUuid: string,
  entries: readonly Identified[],
): Map<string, number> {
  const known = knownIdentifiers(db, of, entries)
  const used = needsFreeNumber(entries, known) ? usedNumbers(db, of, entries) : new Set<number>()
  const { numbers, renumbered } = decideNumbers(siteUuid, of.kind, entries, known, used)
  for (const [uuid] of renumbered)
    prepared(db, `UPDATE ${of.table} SET legacy_id = -legacy_id WHERE ${of.key} = ?`).run(uuid)
  return numbers
}

/** The numbers in use, without those that entries of the document give up. */
function usedNumbers(
  db: DatabaseSync,
  { table, key }: IdentifiedTable,
  entries: readonly Identified[],
): Set<number> {
  const given = new Map(entries.map(({ uuid, legacyId }) => [uuid, legacyId]))
  return new Set(
    prepared(db, `SELECT ${key}, legacy_id FROM ${table}`)
      .all()
      .filter((row) => (given.get(text(row, key)) ?? null) === null)
      .map((row) => integer(row, 'legacy_id')),
  )
}
