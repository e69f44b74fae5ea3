import type { DatabaseSync } from 'node:sqlite'
import { rowChecksum } from '../../lib/row-checksum.ts'
import { prepared, preparedLists } from './connect.ts'
import { failDamaged } from './damage.ts'
import { type DayRuns, packDayRuns, toDayRuns, unpackDayRuns } from './day-runs.ts'
import { integer } from './row.ts'

const NO_DAYS: DayRuns = []

/** The days of a series that have a row in reading_days. */
export function loadSeriesDays(db: DatabaseSync, seriesId: number): DayRuns {
  const [row] = preparedLists<[days: Uint8Array<ArrayBuffer>, checksum: number]>(
    db,
    'SELECT days, checksum FROM series_days WHERE series_id = ?',
  ).all(seriesId)
  if (!row) return NO_DAYS
  const [days, checksum] = row
  if (rowChecksum('series_days', seriesId, 0, days) !== checksum)
    failDamaged(db, { table: 'series_days', seriesId, reason: 'the checksum is wrong' })
  return unpackDayRuns(days)
}

export function putSeriesDays(db: DatabaseSync, seriesId: number, runs: DayRuns): void {
  const days = packDayRuns(runs)
  prepared(
    db,
    `INSERT INTO series_days (series_id, days, checksum) VALUES (?, ?, ?)
     ON CONFLICT (series_id) DO UPDATE SET days = excluded.days, checksum = excluded.checksum`,
  ).run(seriesId, days, rowChecksum('series_days', seriesId, 0, days))
}

/** Rebuilds the set of days from the rows of reading_days. */
export const rebuildSeriesDays = (db: DatabaseSync, seriesId: number): void =>
  putSeriesDays(
    db,
    seriesId,
    toDayRuns(
      prepared(db, 'SELECT day FROM reading_days WHERE series_id = ? ORDER BY day')
        .all(seriesId)
        .map((row) => integer(row, 'day')),
    ),
  )
