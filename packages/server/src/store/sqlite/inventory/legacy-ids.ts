import type { DatabaseSync } from 'node:sqlite'
import type {
  IdentifiedRecord,
  KnownIdentifier,
  NumberDecision,
  UsedNumber,
} from '../../../domain/estate/inventory/decide-identifiers.ts'
import { prepareOnce } from '../connect.ts'
import { integer, type Row, text } from '../row.ts'
import { inKeyOrder } from './key-order.ts'

export const SITES = { kind: 'site', table: 'sites', key: 'site_uuid' } as const
export const BUILDINGS = { kind: 'building', table: 'buildings', key: 'building_uuid' } as const
export const SPACES = { kind: 'space', table: 'spaces', key: 'space_uuid' } as const
export const DEVICES = { kind: 'device', table: 'devices', key: 'device_uuid' } as const

export type RecordTable = typeof BUILDINGS | typeof SPACES
/** Tables whose rows have an id of version 1. */
type NumberedTable = typeof SITES | RecordTable

/** The rows of any site with one of these UUIDs or ids of version 1. */
export const knownIdentifiers = (
  db: DatabaseSync,
  { kind, table, key }: NumberedTable | typeof DEVICES,
  entries: readonly IdentifiedRecord[],
): KnownIdentifier[] => {
  const toKnown = (row: Row): KnownIdentifier => ({
    uuid: text(row, key),
    siteUuid: text(row, 'site_uuid'),
    legacyId: kind === 'device' ? null : integer(row, 'legacy_id'),
  })
  const columns = kind === 'device' ? `${key}, site_uuid` : `${key}, site_uuid, legacy_id`
  return inKeyOrder(entries, ({ uuid }) => uuid).flatMap(({ uuid, legacyId }) => {
    const own = prepareOnce(db, `SELECT ${columns} FROM ${table} WHERE ${key} = ?`).all(uuid)
    const holders =
      legacyId === null
        ? []
        : prepareOnce(db, `SELECT ${columns} FROM ${table} WHERE legacy_id = ?`).all(legacyId)
    return [...own, ...holders].map(toKnown)
  })
}

/** All ids of version 1 in use. */
export const usedNumbers = (db: DatabaseSync, { table, key }: NumberedTable): UsedNumber[] =>
  prepareOnce(db, `SELECT ${key}, legacy_id FROM ${table}`)
    .all()
    .map((row) => ({ uuid: text(row, key), number: integer(row, 'legacy_id') }))

/** Clears the ids that change, so that two records of a document can swap theirs. */
export function freeNumbers(
  db: DatabaseSync,
  { table, key }: NumberedTable,
  { renumbered }: NumberDecision,
): void {
  for (const [uuid] of renumbered)
    prepareOnce(db, `UPDATE ${table} SET legacy_id = -legacy_id WHERE ${key} = ?`).run(uuid)
}
