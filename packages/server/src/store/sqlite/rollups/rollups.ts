import type { DatabaseSync } from 'node:sqlite'
import type { RollupStore, RollupRow } from '../../../domain/telemetry/rollup/store.ts'
import { rowChecksum } from '../../../kernel/row-checksum.ts'
import { firstDayOfMonth } from '../../../calendar/local-day.ts'
import { utcDayNumber } from '../../../domain/telemetry/reading/packed-day.ts'
import { getDataVersion, prepareArraysOnce, cachedPerDataVersion } from '../connect.ts'
import { failDamaged, reportDamage } from '../damage.ts'
import { translateErrors } from '../failure.ts'
import { readJournalState } from '../journal/journal-rows.ts'
import { type Journal, getJournal } from '../journal/journal.ts'

export type RollupTable = 'rollup_days' | 'rollup_months' | 'rollup_quarter_hours'

interface Selection {
  table: RollupTable
  sql: string
}

const selectRows = (table: RollupTable, column: string): Selection => ({
  table,
  sql: `SELECT ${column}, cells, checksum FROM ${table} WHERE series_id = ? AND ${column} BETWEEN ? AND ?`,
})

const DAYS = selectRows('rollup_days', 'day')
const MONTHS = selectRows('rollup_months', 'month')
const QUARTERS = selectRows('rollup_quarter_hours', 'day')

type StoredRollup = [number: number, cells: Uint8Array<ArrayBuffer>, checksum: number]

/** Damaged rows are skipped, so that their values are computed from the readings, if these are still stored. */
function rows(
  db: DatabaseSync,
  { table, sql }: Selection,
  seriesId: number,
  from: number,
  to: number,
): RollupRow[] {
  const intact: RollupRow[] = []
  for (const [number, cells, checksum] of prepareArraysOnce<StoredRollup>(db, sql).all(seriesId, from, to)) {
    if (rowChecksum(table, seriesId, number, cells) === checksum) intact.push({ number, cells })
    else reportDamagedRollup(db, table, seriesId, number)
  }
  return intact
}

/** Throws if the readings have been dropped: the row cannot be rebuilt then. */
export function reportDamagedRollup(
  db: DatabaseSync,
  table: RollupTable,
  seriesId: number,
  number: number,
): void {
  const row = { table, seriesId, number, reason: 'the checksum is wrong' }
  if (!canRebuild(db, table, number)) failDamaged(db, row)
  reportDamage(db, row)
}

/** Whether all readings that the row was computed from are still stored. */
export function canRebuild(db: DatabaseSync, table: RollupTable, number: number): boolean {
  const { retentionWatermark } = readJournalState(db)
  if (retentionWatermark === 0) return true
  if (table === 'rollup_quarter_hours') return false
  const first = table === 'rollup_months' ? firstDayOfMonth(number) : number
  // A local day starts up to a day before or after the UTC day with its number.
  return first > utcDayNumber(retentionWatermark) + 2
}

export const sqliteRollups = (reader: () => DatabaseSync): RollupStore => ({
  days: (_siteUuid, seriesId, from, to) => translateErrors(() => rows(reader(), DAYS, seriesId, from, to)),
  months: (_siteUuid, seriesId, from, to) =>
    translateErrors(() => rows(reader(), MONTHS, seriesId, from, to)),
  quarters: (_siteUuid, seriesId, from, to) =>
    translateErrors(() => rows(reader(), QUARTERS, seriesId, from, to)),
  versions: {
    dataVersion: () => translateErrors(() => getDataVersion(reader())),
    version: (seriesId) => translateErrors(() => getRollupVersion(reader(), seriesId)),
    lastSequence: () => translateErrors(() => followed(reader()).lastSequence()),
    lastChangeBefore: (seriesIds, at) =>
      translateErrors(() => {
        const journal = followed(reader())
        return seriesIds.reduce((last, id) => Math.max(last, journal.lastChangeBefore(id, at)), 0)
      }),
  },
})

function followed(db: DatabaseSync): Journal {
  const journal = getJournal(db)
  journal.hot()
  return journal
}

/** Raised whenever a rollup of the series changes. */
export function loadRollupVersion(db: DatabaseSync, seriesId: number): number {
  const [[version] = [0]] = prepareArraysOnce<[version: number]>(
    db,
    'SELECT version FROM rollup_versions WHERE series_id = ?',
  ).all(seriesId)
  return version
}

const getRollupVersion = cachedPerDataVersion(loadRollupVersion)
