import type { DatabaseSync } from 'node:sqlite'
import type { InventoryChanges } from '../../inventory/inventory.ts'
import type { Placement } from '../../inventory/placement.ts'
import { Conflict } from '../../inventory/conflict.ts'
import { prepared } from './connect.ts'
import { type Row, text } from './row.ts'

/** What buildings, spaces and devices have in common as rows. */
export const placementsOf = (row: Row): Placement[] => JSON.parse(text(row, 'placements')) as Placement[]

export const rowsBy = (db: DatabaseSync, table: string, key: string, siteUuid: string): Map<string, Row> =>
  new Map(
    prepared(db, `SELECT * FROM ${table} WHERE site_uuid = ?`)
      .all(siteUuid)
      .map((row) => [text(row, key), row]),
  )

export function refuseForeign(
  db: DatabaseSync,
  table: string,
  key: string,
  siteUuid: string,
  uuid: string,
  field: string,
): void {
  const foreign = prepared(db, `SELECT 1 FROM ${table} WHERE ${key} = ? AND site_uuid <> ?`).get(
    uuid,
    siteUuid,
  )
  if (foreign) throw new Conflict(`${field}.${camel(key)}`, 'belongs to another site')
}

export function archiveRest(
  db: DatabaseSync,
  table: string,
  key: string,
  siteUuid: string,
  rest: ReadonlyMap<string, Row>,
  now: number,
  changes: InventoryChanges,
): void {
  for (const [uuid, row] of rest) {
    if (row['archived_at'] !== null) continue
    prepared(db, `UPDATE ${table} SET archived_at = ? WHERE site_uuid = ? AND ${key} = ?`).run(
      now,
      siteUuid,
      uuid,
    )
    changes.archived += 1
  }
}

const camel = (column: string): string =>
  column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
