import type { DatabaseSync } from 'node:sqlite'
import { numberAt } from '../../../kernel/at.ts'
import { rowChecksum } from '../../../kernel/row-checksum.ts'
import { mergeReadings } from '../../../domain/telemetry/reading/readings.ts'
import {
  DAY_MS,
  utcDayNumber,
  packDay,
  type ReadingLists,
  type Readings,
  unpackDay,
} from '../../../domain/telemetry/reading/packed-day.ts'
import { prepareOnce, prepareArraysOnce } from '../connect.ts'
import { failDamaged } from '../damage.ts'
import { addDay, type DayRuns, daysWithin, firstDayAfter, hasDay, lastDayBefore } from './day-runs.ts'
import { setLatestCompacted } from './latest-readings.ts'
import { salvage } from '../quarantine.ts'
import { loadSeriesDays, putSeriesDays } from './series-days.ts'
import { inOneSnapshot } from '../snapshot.ts'

type DayRow = [day: number, readings: Uint8Array<ArrayBuffer>, checksum: number]

const select = (condition: string): string =>
  `SELECT day, readings, checksum FROM reading_days WHERE series_id = ? AND ${condition}`

const BETWEEN = select('day BETWEEN ? AND ? ORDER BY day')
const BEFORE = select('day < ? ORDER BY day DESC LIMIT 1')
const AFTER = select('day > ? ORDER BY day LIMIT 1')

/** Days that a query is expected to find, in the order of its rows. */
type ToExpected = (listed: DayRuns) => readonly number[]

/** Verifies that the rows are exactly the listed days, and that each matches its checksum. */
function readVerified(
  db: DatabaseSync,
  seriesId: number,
  sql: string,
  range: readonly number[],
  toExpected: ToExpected,
): Readings[] {
  const table = 'reading_days'
  return inOneSnapshot(db, () => {
    const rows = prepareArraysOnce<DayRow>(db, sql).all(seriesId, ...range)
    const listed = loadSeriesDays(db, seriesId)
    for (const [day, readings, checksum] of rows) {
      if (rowChecksum(table, seriesId, day, readings) !== checksum)
        failDamaged(db, { table, seriesId, number: day, reason: 'the checksum is wrong' })
    }
    const expected = toExpected(listed)
    for (let place = 0; place < Math.max(rows.length, expected.length); place += 1) {
      const [found, day] = [rows[place]?.[0], expected[place]]
      if (found === day) continue
      // An unlisted row may have displaced a listed one from the result.
      if (day === undefined || rows.some((row) => !hasDay(listed, row[0])))
        failDamaged(db, { table: 'series_days', seriesId, reason: 'it does not list a day that has a row' })
      failDamaged(db, { table, seriesId, number: day, reason: 'the row is missing' })
    }
    return rows.map(([day, readings]) => unpackDay(day, readings))
  })
}

/** The packed days of a series in a range, inclusive. */
export const packedDays = (db: DatabaseSync, seriesId: number, from: number, to: number): Readings[] =>
  readVerified(db, seriesId, BETWEEN, [from, to], (listed) => daysWithin(listed, from, to))

export const packedDayBefore = (db: DatabaseSync, seriesId: number, day: number): Readings | undefined =>
  readVerified(db, seriesId, BEFORE, [day], (listed) => [lastDayBefore(listed, day)].filter(isDay))[0]

export const packedDayAfter = (db: DatabaseSync, seriesId: number, day: number): Readings | undefined =>
  readVerified(db, seriesId, AFTER, [day], (listed) => [firstDayAfter(listed, day)].filter(isDay))[0]

const isDay = (day: number | undefined): day is number => day !== undefined

/** Merges readings into their packed days; a given reading replaces a stored one of the same instant. */
export function packReadings(db: DatabaseSync, seriesId: number, readings: ReadingLists): void {
  let days = salvage(db, () => loadSeriesDays(db, seriesId))
  for (const [day, own] of byDay(readings)) {
    const [older] = hasDay(days, day) ? salvage(db, () => packedDays(db, seriesId, day, day)) : []
    putDay(db, seriesId, day, packDay(day, older ? mergeReadings(older, own) : own))
    days = addDay(days, day)
  }
  putSeriesDays(db, seriesId, days)
  const last = readings.timestamps.length - 1
  setLatestCompacted(db, seriesId, numberAt(readings.timestamps, last), numberAt(readings.values, last))
}

export const putDay = (db: DatabaseSync, seriesId: number, day: number, readings: Uint8Array): void =>
  void prepareOnce(
    db,
    `INSERT INTO reading_days (series_id, day, readings, checksum) VALUES (?, ?, ?, ?)
     ON CONFLICT (series_id, day) DO UPDATE SET readings = excluded.readings, checksum = excluded.checksum`,
  ).run(seriesId, day, readings, rowChecksum('reading_days', seriesId, day, readings))

/** The readings of each day. Views of the lists where possible: an import may contain years of a series. */
function* byDay({ timestamps, values }: ReadingLists): Generator<[number, ReadingLists]> {
  let from = 0
  while (from < timestamps.length) {
    const day = utcDayNumber(numberAt(timestamps, from))
    const end = (day + 1) * DAY_MS
    let to = from + 1
    while (to < timestamps.length && numberAt(timestamps, to) < end) to += 1
    yield [day, { timestamps: cut(timestamps, from, to), values: cut(values, from, to) }]
    from = to
  }
}

const cut = (list: ArrayLike<number>, from: number, to: number): ArrayLike<number> =>
  list instanceof Float64Array ? list.subarray(from, to) : Array.prototype.slice.call(list, from, to)
