import type { DatabaseSync } from 'node:sqlite'
import type { RollupStore, StoredRow } from '../../aggregate/store.ts'
import { fileVersionOf, preparedLists, untilCommit } from './connect.ts'
import { reading, readingAtOnce } from './failure.ts'
import { type Journal, journalOf } from './journal.ts'

const selectRows = (table: string, column: string): string =>
  `SELECT ${column}, cells FROM ${table} WHERE series_id = ? AND ${column} BETWEEN ? AND ?`

const DAYS = selectRows('rollup_days', 'day')
const MONTHS = selectRows('rollup_months', 'month')
const QUARTERS = selectRows('rollup_quarters', 'day')

const rows = (db: DatabaseSync, select: string, seriesId: number, from: number, to: number): StoredRow[] =>
  preparedLists<[number: number, cells: Uint8Array<ArrayBuffer>]>(db, select)
    .all(seriesId, from, to)
    .map(([number, cells]) => ({ number, cells }))

export const sqliteRollups = (reader: () => DatabaseSync): RollupStore => ({
  days: (_siteUuid, seriesId, from, to) => reading(() => rows(reader(), DAYS, seriesId, from, to)),
  months: (_siteUuid, seriesId, from, to) => reading(() => rows(reader(), MONTHS, seriesId, from, to)),
  quarters: (_siteUuid, seriesId, from, to) => reading(() => rows(reader(), QUARTERS, seriesId, from, to)),
  atOnce: {
    storeVersion: () => readingAtOnce(() => fileVersionOf(reader())),
    days: (seriesId, from, to) => readingAtOnce(() => rows(reader(), DAYS, seriesId, from, to)),
    months: (seriesId, from, to) => readingAtOnce(() => rows(reader(), MONTHS, seriesId, from, to)),
    version: (seriesId) => readingAtOnce(() => versionOf(reader(), seriesId)),
    lastArrival: () => readingAtOnce(() => followed(reader()).lastArrival()),
    changedBefore: (seriesIds, at) =>
      readingAtOnce(() => {
        const journal = followed(reader())
        return seriesIds.reduce((last, id) => Math.max(last, journal.changedBefore(id, at)), 0)
      }),
  },
})

function followed(db: DatabaseSync): Journal {
  const journal = journalOf(db)
  journal.hot()
  return journal
}

const versionOf = untilCommit((db: DatabaseSync, seriesId: number): number => {
  const [row] = preparedLists<[version: number]>(
    db,
    'SELECT version FROM rollup_versions WHERE series_id = ?',
  ).all(seriesId)
  return row?.[0] ?? 0
})
