import type { DatabaseSync } from 'node:sqlite'
import type { RollupStore, StoredRow } from '../../aggregate/store.ts'
import { fileVersionOf, preparedLists, untilCommit } from './connect.ts'
import { reading, readingAtOnce } from './failure.ts'
import { journalOf } from './journal.ts'

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
  atOnce: {
    storeVersion: () => readingAtOnce(() => fileVersionOf(reader())),
    days: (seriesId, from, to) =>
      readingAtOnce(() => rows(reader(), 'rollup_days', 'day', seriesId, from, to)),
    months: (seriesId, from, to) =>
      readingAtOnce(() => rows(reader(), 'rollup_months', 'month', seriesId, from, to)),
    version: (seriesId) => readingAtOnce(() => versionOf(reader(), seriesId)),
    readingsVersion: (seriesIds) =>
      readingAtOnce(() => {
        const journal = journalOf(reader())
        journal.hot()
        return seriesIds
          .map((seriesId) => `${versionOf(reader(), seriesId)}.${journal.changedAt(seriesId)}`)
          .join(' ')
      }),
  },
})

const versionOf = untilCommit((db: DatabaseSync, seriesId: number): number => {
  const [row] = preparedLists<[version: number]>(
    db,
    'SELECT version FROM rollup_versions WHERE series_id = ?',
  ).all(seriesId)
  return row?.[0] ?? 0
})
