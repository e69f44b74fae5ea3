import type { DatabaseSync } from 'node:sqlite'
import type { RollupStore, StoredRow } from '../../aggregate/store.ts'
import { prepared } from './connect.ts'
import { reading } from './failure.ts'
import { blob, integer } from './row.ts'

const rows = (
  db: DatabaseSync,
  table: 'rollup_days' | 'rollup_months' | 'rollup_quarters',
  column: 'day' | 'month',
  seriesId: number,
  from: number,
  to: number,
): StoredRow[] =>
  prepared(
    db,
    `SELECT ${column} AS number, cells FROM ${table} WHERE series_id = ? AND ${column} BETWEEN ? AND ?`,
  )
    .all(seriesId, from, to)
    .map((row) => ({ number: integer(row, 'number'), cells: blob(row, 'cells') }))

export const sqliteRollups = (reader: () => DatabaseSync): RollupStore => ({
  days: (_siteUuid, seriesId, from, to) =>
    reading(() => rows(reader(), 'rollup_days', 'day', seriesId, from, to)),
  months: (_siteUuid, seriesId, from, to) =>
    reading(() => rows(reader(), 'rollup_months', 'month', seriesId, from, to)),
  quarters: (_siteUuid, seriesId, from, to) =>
    reading(() => rows(reader(), 'rollup_quarters', 'day', seriesId, from, to)),
})
