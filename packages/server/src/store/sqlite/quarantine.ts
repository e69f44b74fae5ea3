import type { DatabaseSync } from 'node:sqlite'
import { systemClock } from '../../kernel/clock.ts'
import { rowChecksum } from '../../kernel/row-checksum.ts'
import { DAY_MS } from '../../domain/telemetry/reading/packed-day.ts'
import type { TimeSpan } from '../../calendar/interval.ts'
import type { DamagedRow } from '../store.ts'
import { prepareOnce, prepareArraysOnce } from './connect.ts'
import { DamagedData, describeDamage } from '../damage.ts'
import { hasDay, removeDay } from './journal/day-runs.ts'
import { putSeriesDays, repairSeriesDays } from './journal/series-days.ts'

/** Damaged readings that were moved out of their table. Without `seriesId`, any series may be affected. */
export interface LostReadings extends TimeSpan {
  source: 'reading_days' | 'journal'
  seriesId: number | undefined
}

/**
 * Runs part of a write. If it finds damaged readings, they are quarantined and the part is run again: new readings are
 * stored even if old ones are damaged, and the loss is recorded in the same transaction.
 */
export function salvage<T>(db: DatabaseSync, work: () => T): T {
  let last: string | undefined
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof DamagedData) || !error.row) throw error
      const met = describeDamage(error.row)
      // A row that cannot be removed would be found again in an endless loop.
      if (met === last) throw error
      last = met
      quarantineRow(db, error.row)
    }
  }
}

/**
 * Moves a damaged day out of the readings. Results that depend on it are unavailable until an operator accepts the
 * loss. A report may be outdated, because another process may have repaired the row or filled the day again: the row is
 * verified here, in the writer's transaction.
 */
export function quarantineRow(db: DatabaseSync, { table, seriesId, number: day }: DamagedRow): void {
  if (seriesId === undefined) return
  const listed = repairSeriesDays(db, seriesId)
  if (table !== 'reading_days' || day === undefined) return
  const [row] = prepareArraysOnce<[readings: Uint8Array<ArrayBuffer>, checksum: number]>(
    db,
    'SELECT readings, checksum FROM reading_days WHERE series_id = ? AND day = ?',
  ).all(seriesId, day)
  const isAsWritten = row
    ? rowChecksum('reading_days', seriesId, day, row[0]) === row[1]
    : !hasDay(listed, day)
  if (isAsWritten) return
  recordLost(
    db,
    { source: 'reading_days', seriesId, from: day * DAY_MS, to: (day + 1) * DAY_MS },
    row ? row[0] : null,
  )
  prepareOnce(db, 'DELETE FROM reading_days WHERE series_id = ? AND day = ?').run(seriesId, day)
  putSeriesDays(db, seriesId, removeDay(listed, day))
}

export const recordLost = (
  db: DatabaseSync,
  { source, seriesId, from, to }: LostReadings,
  content: Uint8Array | null,
): void =>
  void prepareOnce(
    db,
    `INSERT INTO damaged_readings (source, series_id, from_ts, to_ts, found_at, content)
     VALUES (?, ?, ?, ?, ?, ?)`,
  ).run(source, seriesId ?? null, from, to, systemClock.now(), content)

type LostRow = [source: LostReadings['source'], seriesId: number | null, from: number, to: number]

const LOST = 'SELECT source, series_id, from_ts, to_ts FROM damaged_readings WHERE accepted ='

const fromRow = ([source, series, from, to]: LostRow): LostReadings => ({
  source,
  seriesId: series ?? undefined,
  from,
  to,
})

/** All lost readings, or those that affect a series. */
export function lostReadings(db: DatabaseSync, seriesId?: number): LostReadings[] {
  const rows =
    seriesId === undefined
      ? prepareArraysOnce<LostRow>(db, `${LOST} 0 ORDER BY id`).all()
      : prepareArraysOnce<LostRow>(db, `${LOST} 0 AND (series_id = ? OR series_id IS NULL)`).all(seriesId)
  return rows.map(fromRow)
}

/** Losses that an operator has accepted. Rollups made before a loss contain more than the remaining readings. */
export const acceptedLosses = (db: DatabaseSync): LostReadings[] =>
  prepareArraysOnce<LostRow>(db, `${LOST} 1 ORDER BY id`).all().map(fromRow)
