import type { DatabaseSync } from 'node:sqlite'
import { cutAround, cutWithin } from '../../reading/cut.ts'
import { mergeReadings } from '../../reading/merge.ts'
import { DAY_MS, dayOf, type Readings } from '../../reading/packed-day.ts'
import type { LatestReading, ReadingQuestions } from '../../reading/store.ts'
import type { Span } from '../../reading/window-value.ts'
import { prepared } from './connect.ts'
import { journalOf } from './journal.ts'
import { packedDayAfter, packedDayBefore, packedDays } from './reading-days.ts'
import { integer } from './row.ts'

/** The readings of a series as they are: packed days with the journal over them. */
export function readingsWithin(db: DatabaseSync, seriesId: number, { from, to }: Span): Readings {
  const hot = journalOf(db).hot().of(seriesId)
  const packed = joined(packedDays(db, seriesId, dayOf(from), dayOf(to - 1)))
  return cutWithin(hot ? mergeReadings(packed, hot) : packed, { from, to })
}

/** The readings in the span, and the last before and the first after it. */
export function readingsAround(db: DatabaseSync, seriesId: number, { from, to }: Span): Readings {
  const hot = journalOf(db).hot().of(seriesId)
  const packed = packedAround(db, seriesId, { from, to })
  return cutAround(hot ? mergeReadings(packed, hot) : packed, { from, to })
}

function packedAround(db: DatabaseSync, seriesId: number, { from, to }: Span): Readings {
  const [first, last] = [dayOf(from), dayOf(to)]
  const parts = packedDays(db, seriesId, first, last)
  if (!((parts[0]?.timestamps[0] ?? Number.POSITIVE_INFINITY) <= from))
    parts.unshift(...[packedDayBefore(db, seriesId, first)].filter((day) => day !== undefined))
  if (!((parts.at(-1)?.timestamps.at(-1) ?? Number.NEGATIVE_INFINITY) >= to))
    parts.push(...[packedDayAfter(db, seriesId, last)].filter((day) => day !== undefined))
  return joined(parts)
}

/** Readings that follow each other, as one. */
export function joined(parts: readonly Readings[]): Readings {
  const [only] = parts
  if (only && parts.length === 1) return only
  return {
    timestamps: parts.flatMap(({ timestamps }) => timestamps),
    values: parts.flatMap(({ values }) => values),
  }
}

/** The newest reading of each series of a site, or of those named. */
export function latestReadings(
  db: DatabaseSync,
  siteUuid: string,
  seriesIds?: readonly number[],
): Map<number, LatestReading> {
  const hot = journalOf(db).hot()
  const latest = new Map<number, LatestReading>()
  const ofSite =
    'SELECT series_id, ts, value FROM series LEFT JOIN latest_readings USING (series_id) WHERE site_uuid = ?'
  const rows = seriesIds
    ? seriesIds.flatMap((id) => prepared(db, `${ofSite} AND series_id = ?`).all(siteUuid, id))
    : prepared(db, ofSite).all(siteUuid)
  for (const row of rows) {
    const seriesId = integer(row, 'series_id')
    const packed = row['ts'] === null ? undefined : { at: integer(row, 'ts'), value: Number(row['value']) }
    const own = hot.newest(seriesId)
    const newest = own && own.at >= (packed?.at ?? 0) ? own : packed
    if (newest) latest.set(seriesId, newest)
  }
  return latest
}

/** From the first to the last reading of a series, to the day. */
export function readingRange(db: DatabaseSync, seriesId: number): Span | undefined {
  const hot = journalOf(db).hot().of(seriesId)?.timestamps
  const row = prepared(
    db,
    'SELECT min(day) AS first, max(day) AS last FROM reading_days WHERE series_id = ?',
  ).get(seriesId)
  const firsts: number[] = []
  const lasts: number[] = []
  if (row && row['first'] !== null) {
    firsts.push(integer(row, 'first') * DAY_MS)
    lasts.push((integer(row, 'last') + 1) * DAY_MS - 1)
  }
  if (hot) {
    firsts.push(hot[0] ?? 0)
    lasts.push(hot.at(-1) ?? 0)
  }
  return firsts.length === 0 ? undefined : { from: Math.min(...firsts), to: Math.max(...lasts) }
}

/** The port's questions on one connection, for the writer's own use. */
export const storedReadings = (db: DatabaseSync): ReadingQuestions => ({
  around: async (_siteUuid, seriesId, span) => readingsAround(db, seriesId, span),
  within: async (_siteUuid, seriesId, span) => readingsWithin(db, seriesId, span),
})
