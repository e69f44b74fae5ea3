import type { DatabaseSync } from 'node:sqlite'
import { Conflict } from '../../inventory/conflict.ts'
import { freeLegacyId } from '../../inventory/legacy-ids.ts'
import { prepared } from './connect.ts'
import { integer, type Row } from './row.ts'

/** The number given, else the one it has, else a free one. */
export function legacyIdFor(
  db: DatabaseSync,
  table: string,
  key: string,
  uuid: string,
  given: number | null,
  row: Row | undefined,
  field: string,
  reserved: ReadonlySet<number> = new Set(),
): number {
  if (given === null) return row ? integer(row, 'legacy_id') : unusedLegacyId(db, table, reserved)
  const taken = prepared(db, `SELECT 1 FROM ${table} WHERE legacy_id = ? AND ${key} <> ?`).get(given, uuid)
  if (taken) throw new Conflict(`${field}.legacyId`, 'is used by another')
  return given
}

/** `reserved` is given further on in the document. */
function unusedLegacyId(db: DatabaseSync, table: string, reserved: ReadonlySet<number>): number {
  const used = new Set(reserved)
  for (const row of prepared(db, `SELECT legacy_id FROM ${table}`).all()) used.add(integer(row, 'legacy_id'))
  return freeLegacyId(used)
}

/** Two records of one document may exchange their numbers: those that change are out of the way first. */
export function parkChangedIds(
  db: DatabaseSync,
  table: 'buildings' | 'spaces',
  key: 'building_uuid' | 'space_uuid',
  given: ReadonlyMap<string, number | null>,
  current: ReadonlyMap<string, Row>,
): void {
  for (const [uuid, legacyId] of given) {
    const row = current.get(uuid)
    if (!row || legacyId === null || legacyId === integer(row, 'legacy_id')) continue
    prepared(db, `UPDATE ${table} SET legacy_id = -legacy_id WHERE ${key} = ?`).run(uuid)
  }
}
