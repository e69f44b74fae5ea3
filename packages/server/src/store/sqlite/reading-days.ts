import type { DatabaseSync } from 'node:sqlite'
import { mergeReadings } from '../../reading/merge.ts'
import { dayOf, packDay, type Readings, unpackDay } from '../../reading/packed-day.ts'
import { prepared } from './connect.ts'
import { noteLatestPacked } from './latest-packed.ts'
import { blob, integer, type Row } from './row.ts'

const fromRow = (row: Row): Readings => unpackDay(integer(row, 'day'), blob(row, 'readings'))

/** The packed days of a series from one to another, both included. */
export const packedDays = (db: DatabaseSync, seriesId: number, from: number, to: number): Readings[] =>
  prepared(
    db,
    'SELECT day, readings FROM reading_days WHERE series_id = ? AND day BETWEEN ? AND ? ORDER BY day',
  )
    .all(seriesId, from, to)
    .map(fromRow)

export function packedDayBefore(db: DatabaseSync, seriesId: number, day: number): Readings | undefined {
  const row = prepared(
    db,
    'SELECT day, readings FROM reading_days WHERE series_id = ? AND day < ? ORDER BY day DESC LIMIT 1',
  ).get(seriesId, day)
  return row && fromRow(row)
}

export function packedDayAfter(db: DatabaseSync, seriesId: number, day: number): Readings | undefined {
  const row = prepared(
    db,
    'SELECT day, readings FROM reading_days WHERE series_id = ? AND day > ? ORDER BY day LIMIT 1',
  ).get(seriesId, day)
  return row && fromRow(row)
}

/** Adds readings to the packed days they belong to; of two of an instant the given one stays. */
export function packReadings(db: DatabaseSync, seriesId: number, readings: Readings): void {
  for (const [day, own] of byDay(readings)) {
    const [older] = packedDays(db, seriesId, day, day)
    prepared(
      db,
      `INSERT INTO reading_days (series_id, day, readings) VALUES (?, ?, ?)
       ON CONFLICT (series_id, day) DO UPDATE SET readings = excluded.readings`,
    ).run(seriesId, day, packDay(day, older ? mergeReadings(older, own) : own))
  }
  const last = readings.timestamps.length - 1
  noteLatestPacked(db, seriesId, readings.timestamps[last] ?? 0, readings.values[last] ?? 0)
}

function* byDay({ timestamps, values }: Readings): Generator<[number, Readings]> {
  let start = 0
  for (let index = 1; index <= timestamps.length; index += 1) {
    const day = dayOf(timestamps[start] ?? 0)
    if (index < timestamps.length && dayOf(timestamps[index] ?? 0) === day) continue
    yield [day, { timestamps: timestamps.slice(start, index), values: values.slice(start, index) }]
    start = index
  }
}
