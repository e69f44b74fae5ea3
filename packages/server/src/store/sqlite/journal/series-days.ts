import type { DatabaseSync } from 'node:sqlite'
import { rowChecksum } from '../../../kernel/row-checksum.ts'
import { prepareOnce, prepareArraysOnce } from '../connect.ts'
import { failDamaged } from '../damage.ts'
import { addDay, type DayRuns, packDayRuns, unpackDayRuns } from './day-runs.ts'

const NO_DAYS: DayRuns = []

/** The days of a series that have a row in reading_days. */
export const loadSeriesDays = (db: DatabaseSync, seriesId: number): DayRuns =>
  findSeriesDays(db, seriesId) ??
  failDamaged(db, { table: 'series_days', seriesId, reason: 'the checksum is wrong' })

/** Undefined if the row is damaged. */
function findSeriesDays(db: DatabaseSync, seriesId: number): DayRuns | undefined {
  const [row] = prepareArraysOnce<[days: Uint8Array<ArrayBuffer>, checksum: number]>(
    db,
    'SELECT days, checksum FROM series_days WHERE series_id = ?',
  ).all(seriesId)
  if (!row) return NO_DAYS
  const [days, checksum] = row
  return rowChecksum('series_days', seriesId, 0, days) === checksum ? unpackDayRuns(days) : undefined
}

export function putSeriesDays(db: DatabaseSync, seriesId: number, runs: DayRuns): void {
  const days = packDayRuns(runs)
  prepareOnce(
    db,
    `INSERT INTO series_days (series_id, days, checksum) VALUES (?, ?, ?)
     ON CONFLICT (series_id) DO UPDATE SET days = excluded.days, checksum = excluded.checksum`,
  ).run(seriesId, days, rowChecksum('series_days', seriesId, 0, days))
}

/**
 * Adds the days that have a row and are not listed. A day that is listed and has no row stays: that is how its loss is
 * noticed. Only a damaged list is rebuilt from the rows alone. Returns the list.
 */
export function repairSeriesDays(db: DatabaseSync, seriesId: number): DayRuns {
  const listed = findSeriesDays(db, seriesId)
  const repaired = prepareArraysOnce<[day: number]>(
    db,
    'SELECT day FROM reading_days WHERE series_id = ? ORDER BY day',
  )
    .all(seriesId)
    .reduce<DayRuns>((runs, [day]) => addDay(runs, day), listed ?? NO_DAYS)
  if (repaired !== listed) putSeriesDays(db, seriesId, repaired)
  return repaired
}
