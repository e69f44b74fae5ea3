import type { DatabaseSync } from 'node:sqlite'
import type { RollupStore, StoredRow } from '../../aggregate/store.ts'
import { preparedLists } from './connect.ts'
import { reading } from './failure.ts'

const rows = (
  db: DatabaseSync,
  table: 'rollup_days' | 'rollup_months' | 'rollup_quarters',
  column: 'day' | 'month',
  seriesId: number,
  from: number,
  to: number,
): StoredRow[] =>
  preparedLists<[number: number, cells: Uint8Array<ArrayBuffer>]>(
    db,
    `SELECT ${column}, cells FROM ${table} WHERE series_id = ? AND ${column} BETWEEN ? AND ?`,
  )
    .all(seriesId, from, to)
    .map(([number, cells]) => ({ number, cells }))

export const sqliteRollups = (reader: () => DatabaseSync): RollupStore => ({
  days: (_siteUuid, seriesId, from, to) =>
    reading(() => rows(reader(), 'rollup_days', 'day', seriesId, from, to)),
  months: (_siteUuid, seriesId, from, to) =>
    reading(() => rows(reader(), 'rollup_months', 'month', seriesId, from, to)),
  quarters: (_siteUuid, seriesId, from, to) =>
    reading(() => rows(reader(), 'rollup_quarters', 'day', seriesId, from, to)),
  version: (_siteUuid, seriesId) =>
    reading(() => {
      const [row] = preparedLists<[version: number]>(
        reader(),
        'SELECT version FROM rollup_versions WHERE series_id = ?',
      ).all(seriesId)
      return row?.[0] ?? 0
    }),
})
