import type { DatabaseSync } from 'node:sqlite'
import type { StoredRecord } from '../../../domain/estate/inventory/decide-records.ts'
import type { Placement } from '../../../domain/estate/inventory/placement.ts'
import { prepareOnce } from '../connect.ts'
import { integerOrNull, type Row, text } from '../row.ts'

export const parsePlacements = (row: Row): Placement[] => JSON.parse(text(row, 'placements')) as Placement[]

/** The buildings, spaces or devices of a site by their UUIDs. */
export const rowsBy = (db: DatabaseSync, table: string, key: string, siteUuid: string): Map<string, Row> =>
  new Map(
    prepareOnce(db, `SELECT * FROM ${table} WHERE site_uuid = ?`)
      .all(siteUuid)
      .map((row) => [text(row, key), row]),
  )

export const toStoredRecord = (row: Row): StoredRecord => ({
  record: text(row, 'record'),
  isArchived: integerOrNull(row, 'archived_at') !== null,
})
