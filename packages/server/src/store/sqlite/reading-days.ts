import type { DatabaseSync } from 'node:sqlite'
import { rowChecksum } from '../../lib/row-checksum.ts'
import { mergeReadings } from '../../reading/merge.ts'
import { dayOf, packDay, type Readings, unpackDay } from '../../reading/packed-day.ts'
import { prepared, preparedLists } from './connect.ts'
import { failDamaged } from './damage.ts'
import { addDay, daysWithin, firstDayAfter, lastDayBefore } from './day-runs.ts'
import { noteLatestPacked } from './latest-packed.ts'
import { salvage } from './quarantine.ts'
import { loadSeriesDays, putSeriesDays } from './series-days.ts'

type DayRow = [day: number, readings: Uint8Array<ArrayBuffer>, checksum: number]

const select = (condition: string): string =>
  `SELECT day, readings, checksum FROM reading_days WHERE series_id = ? AND ${condition}`

const BETWEEN = select('day BETWEEN ? AND ? ORDER BY day')
const BEFORE = select('day < ? ORDER BY day DESC LIMIT 1')
const AFTER = select('day > ? ORDER BY day LIMIT 1')

/** Verifies that the rows are exactly the expected days, and that each matches its checksum. */
function verified(
  db: DatabaseSync,
  seriesId: number,
  rows: readonly DayRow[],
  expected: readonly (number | undefined)[],
): Readings[] {
  const table = 'reading_days'
  for (const [day, readings, checksum] of rows) {
    if (rowChecksum(table, seriesId, day, readings) !== checksum)
      failDamaged(db, { table, seriesId, number: day, reason: 'the checksum is wrong' })
  }
  for (const day of expected) {
    if (day !== undefined && !rows.some((row) => row[0] === day))
      failDamaged(db, { table, seriesId, number: day, reason: 'the row is missing' })
  }
  if (rows.length > expected.length)
    failDamaged(db, { table: 'series_days', seriesId, reason: 'it does not list a day that has a row' })
  return rows.map(([day, readings]) => unpackDay(day, readings))
}

/** The packed days of a series from one to another, both included. */
export const packedDays = (db: DatabaseSync, seriesId: number, from: number, to: number): Readings[] =>
  verified(
    db,
    seriesId,
    preparedLists<DayRow>(db, BETWEEN).all(seriesId, from, to),
    daysWithin(loadSeriesDays(db, seriesId), from, to),
  )

export function packedDayBefore(db: DatabaseSync, seriesId: number, day: number): Readings | undefined {
  const expected = lastDayBefore(loadSeriesDays(db, seriesId), day)
  const rows = preparedLists<DayRow>(db, BEFORE).all(seriesId, day)
  return verified(db, seriesId, rows, expected === undefined ? [] : [expected])[0]
}

export function packedDayAfter(db: DatabaseSync, seriesId: number, day: number): Readings | undefined {
  const expected = firstDayAfter(loadSeriesDays(db, seriesId), day)
  const rows = preparedLists<DayRow>(db, AFTER).all(seriesId, day)
  return verified(db, seriesId, rows, expected === undefined ? [] : [expected])[0]
}

/** Adds readings to the packed days they belong to; of two of an instant the given one stays. */
export function packReadings(db: DatabaseSync, seriesId: number, readings: Readings): void {
  let days = salvage(db, () => loadSeriesDays(db, seriesId))
  for (const [day, own] of byDay(readings)) {
    const isThere = daysWithin(days, day, day).length > 0
    const [older] = isThere ? salvage(db, () => packedDays(db, seriesId, day, day)) : []
    putDay(db, seriesId, day, packDay(day, older ? mergeReadings(older, own) : own))
    days = addDay(days, day)
  }
  putSeriesDays(db, seriesId, days)
  const last = readings.timestamps.length - 1
  noteLatestPacked(db, seriesId, readings.timestamps[last] ?? 0, readings.values[last] ?? 0)
}

export const putDay = (db: DatabaseSync, seriesId: number, day: number, readings: Uint8Array): void =>
  void prepared(
    db,
    `INSERT INTO reading_days (series_id, day, readings, checksum) VALUES (?, ?, ?, ?)
     ON CONFLICT (series_id, day) DO UPDATE SET readings = excluded.readings, checksum = excluded.checksum`,
  ).run(seriesId, day, readings, rowChecksum('reading_days', seriesId, day, readings))

function* byDay({ timestamps, values }: Readings): Generator<[number, Readings]> {
  let start = 0
  for (let index = 1; index <= timestamps.length; index += 1) {
    const day = dayOf(timestamps[start] ?? 0)
    if (index < timestamps.length && dayOf(timestamps[index] ?? 0) === day) continue
    yield [day, { timestamps: timestamps.slice(start, index), values: values.slice(start, index) }]
    start = index
  }
}
