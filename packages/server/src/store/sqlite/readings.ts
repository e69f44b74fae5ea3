import type { DatabaseSync } from 'node:sqlite'
import { mergeReadings } from '../../reading/merge.ts'
import { dayOf, packDay, type Readings, unpackDay } from '../../reading/packed-day.ts'
import type {
  AddedReadings,
  Arrival,
  LatestReading,
  ReadingStore,
  SeriesReadings,
} from '../../reading/store.ts'
import type { Span } from '../../reading/window-value.ts'
import { prepared } from './connect.ts'
import { reading } from './failure.ts'
import { blob, integer, type Row } from './row.ts'
import type { Writer } from './writer.ts'

export const readingWrites = {
  addReadings(db: DatabaseSync, batch: readonly SeriesReadings[], arrival: Arrival): AddedReadings {
    const added: AddedReadings = { accepted: 0, replaced: 0, unchanged: 0 }
    for (const series of batch) {
      for (const [day, readings] of byDay(series))
        storeDay(db, series.seriesId, day, readings, arrival, added)
      storeLatest(db, series, arrival)
    }
    return added
  },
}

function storeLatest(
  db: DatabaseSync,
  { seriesId, timestamps, values }: SeriesReadings,
  arrival: Arrival,
): void {
  const last = timestamps.length - 1
  if (last < 0) return
  prepared(
    db,
    `INSERT INTO latest_readings (series_id, ts, value) VALUES (?, ?, ?)
     ON CONFLICT (series_id) DO UPDATE SET ts = excluded.ts, value = excluded.value
     WHERE excluded.ts ${arrival === 'new' ? '>=' : '>'} ts`,
  ).run(seriesId, timestamps[last] ?? 0, values[last] ?? 0)
}

function* byDay({ timestamps, values }: SeriesReadings): Generator<[number, Readings]> {
  let readings: Readings = { timestamps: [], values: [] }
  let day = Number.NaN
  for (let index = 0; index < timestamps.length; index += 1) {
    const at = timestamps[index] ?? 0
    if (dayOf(at) !== day) {
      if (readings.timestamps.length > 0) yield [day, readings]
      readings = { timestamps: [], values: [] }
      day = dayOf(at)
    }
    readings.timestamps.push(at)
    readings.values.push(values[index] ?? 0)
  }
  if (readings.timestamps.length > 0) yield [day, readings]
}

function storeDay(
  db: DatabaseSync,
  seriesId: number,
  day: number,
  readings: Readings,
  arrival: Arrival,
  added: AddedReadings,
): void {
  const row = prepared(db, 'SELECT readings FROM reading_days WHERE series_id = ? AND day = ?').get(
    seriesId,
    day,
  )
  const older = row ? unpackDay(day, blob(row, 'readings')) : NONE
  if (!count(older, readings, arrival, added)) return
  const merged = arrival === 'new' ? mergeReadings(older, readings) : mergeReadings(readings, older)
  prepared(
    db,
    `INSERT INTO reading_days (series_id, day, readings) VALUES (?, ?, ?)
     ON CONFLICT (series_id, day) DO UPDATE SET readings = excluded.readings`,
  ).run(seriesId, day, packDay(day, merged))
}

const NONE: Readings = { timestamps: [], values: [] }

/** Counts what is new, replaced and the same; answers whether there is anything to write. */
function count(older: Readings, newer: Readings, arrival: Arrival, added: AddedReadings): boolean {
  const known = new Map(older.timestamps.map((at, index) => [at, older.values[index]]))
  let isChanged = false
  newer.timestamps.forEach((at, index) => {
    const before = known.get(at)
    const isSame = before === newer.values[index] || (before !== undefined && arrival === 'repeated')
    if (before === undefined) added.accepted += 1
    else if (isSame) added.unchanged += 1
    else added.replaced += 1
    isChanged ||= !isSame
  })
  return isChanged
}

const fromRow = (row: Row): Readings => unpackDay(integer(row, 'day'), blob(row, 'readings'))

const days = (db: DatabaseSync, seriesId: number, from: number, to: number): Readings[] =>
  prepared(
    db,
    'SELECT day, readings FROM reading_days WHERE series_id = ? AND day BETWEEN ? AND ? ORDER BY day',
  )
    .all(seriesId, from, to)
    .map(fromRow)

function dayBefore(db: DatabaseSync, seriesId: number, day: number): Readings[] {
  const row = prepared(
    db,
    'SELECT day, readings FROM reading_days WHERE series_id = ? AND day < ? ORDER BY day DESC LIMIT 1',
  ).get(seriesId, day)
  return row ? [fromRow(row)] : []
}

function dayAfter(db: DatabaseSync, seriesId: number, day: number): Readings[] {
  const row = prepared(
    db,
    'SELECT day, readings FROM reading_days WHERE series_id = ? AND day > ? ORDER BY day LIMIT 1',
  ).get(seriesId, day)
  return row ? [fromRow(row)] : []
}

/** One list of those that `keep` lets through. */
function join(parts: readonly Readings[], keep: (at: number) => boolean): Readings {
  const joined: Readings = { timestamps: [], values: [] }
  for (const { timestamps, values } of parts) {
    timestamps.forEach((at, index) => {
      if (!keep(at)) return
      joined.timestamps.push(at)
      joined.values.push(values[index] ?? 0)
    })
  }
  return joined
}

function around(db: DatabaseSync, seriesId: number, { from, to }: Span): Readings {
  const [first, last] = [dayOf(from), dayOf(to)]
  const parts = days(db, seriesId, first, last)
  if (!((parts[0]?.timestamps[0] ?? Number.POSITIVE_INFINITY) <= from))
    parts.unshift(...dayBefore(db, seriesId, first))
  if (!((parts.at(-1)?.timestamps.at(-1) ?? Number.NEGATIVE_INFINITY) >= to))
    parts.push(...dayAfter(db, seriesId, last))
  const all = parts.flatMap(({ timestamps }) => timestamps)
  const previous = all.findLast((at) => at <= from) ?? from
  const next = all.find((at) => at >= to) ?? to
  return join(parts, (at) => at >= previous && at <= next)
}

export const sqliteReadings = (reader: () => DatabaseSync, writer: Writer): ReadingStore => ({
  add: (_siteUuid, batch, arrival = 'new') => writer.run('addReadings', batch, arrival),
  around: (_siteUuid, seriesId, span) => reading(() => around(reader(), seriesId, span)),
  within: (_siteUuid, seriesId, { from, to }) =>
    reading(() => join(days(reader(), seriesId, dayOf(from), dayOf(to)), (at) => at >= from && at < to)),
  latest: (siteUuid) =>
    reading(
      () =>
        new Map(
          prepared(
            reader(),
            'SELECT series_id, ts, value FROM series JOIN latest_readings USING (series_id) WHERE site_uuid = ?',
          )
            .all(siteUuid)
            .map((row): [number, LatestReading] => [
              integer(row, 'series_id'),
              { at: integer(row, 'ts'), value: Number(row['value']) },
            ]),
        ),
    ),
})
