import type { DatabaseSync } from 'node:sqlite'
import { numberAt } from '../../../kernel/at.ts'
import { numbersChecksum } from '../../../kernel/row-checksum.ts'
import { runSteps, type Steps } from '../../../kernel/steps.ts'
import {
  sliceAround,
  sliceLast,
  sliceWithin,
  mergeReadings,
} from '../../../domain/telemetry/reading/readings.ts'
import { DAY_MS, utcDayNumber, type Readings } from '../../../domain/telemetry/reading/packed-day.ts'
import type { LatestReading, ReadingReader } from '../../../domain/telemetry/reading/store.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'
import { cachedPerDataVersion, prepareOnce, prepareArraysOnce } from '../connect.ts'
import { DamagedData } from '../../damage.ts'
import { reportDamage } from '../damage.ts'
import { getJournal } from './journal.ts'
import { findLatestPacked } from './latest-readings.ts'
import { packedDayAfter, packedDayBefore, packedDays } from './reading-days.ts'
import { lostReadings } from '../quarantine.ts'
import { integer } from '../row.ts'
import { inOneSnapshot } from '../snapshot.ts'

/** The readings of a series: packed days, overlaid with the journal. */
export function readingsWithin(db: DatabaseSync, seriesId: number, { from, to }: TimeSpan): Readings {
  return inOneSnapshot(db, () => {
    const journal = getJournal(db).hot()
    // Most spans are older than the journal.
    const hot = journal.before(seriesId, to) >= from ? journal.of(seriesId) : undefined
    requireNoneLost(db, seriesId, { from, to })
    if (hot && areAllPackedBefore(db, seriesId, from)) return sliceWithin(hot, { from, to })
    const packed = joined(packedDays(db, seriesId, utcDayNumber(from), utcDayNumber(to - 1)))
    return sliceWithin(overlay(packed, hot), { from, to })
  })
}

/** The readings in the span, the last one before and the first one after it. */
export function readingsAround(db: DatabaseSync, seriesId: number, { from, to }: TimeSpan): Readings {
  return inOneSnapshot(db, () => {
    const journal = getJournal(db).hot()
    const hot = journal.of(seriesId)
    const stored =
      hot && areAllPackedBefore(db, seriesId, journal.before(seriesId, from))
        ? hot
        : overlay(packedAround(db, seriesId, { from, to }), hot)
    const readings = sliceAround(stored, { from, to })
    requireNoneLost(db, seriesId, reach(readings, { from, to }))
    return readings
  })
}

const overlay = (packed: Readings, hot: Readings | undefined): Readings =>
  hot ? mergeReadings(packed, hot) : packed

/**
 * Whether the packed readings of a series are known to be older than an instant, so that a span of recent readings is
 * read without unpacking a day. Nothing is known from a missing or damaged row.
 */
function areAllPackedBefore(db: DatabaseSync, seriesId: number, at: number): boolean {
  const latest = getLatestPacked(db, seriesId) ?? Number.NEGATIVE_INFINITY
  return latest > Number.NEGATIVE_INFINITY && latest < at
}

const getLatestPacked = cachedPerDataVersion(findLatestPacked)

/**
 * The time whose readings affect a span: up to the neighbouring readings that it is interpolated between. Without a
 * neighbour on one side, any reading on that side would affect it.
 */
function reach({ timestamps }: Readings, { from, to }: TimeSpan): TimeSpan {
  const [first, last] = [timestamps[0], timestamps.at(-1)]
  return {
    from: first !== undefined && first <= from ? first : Number.NEGATIVE_INFINITY,
    to: last !== undefined && last >= to ? last : Number.POSITIVE_INFINITY,
  }
}

/**
 * Throws if readings of this time are lost: otherwise a register would be interpolated across them as if they had never
 * existed.
 */
function requireNoneLost(db: DatabaseSync, seriesId: number, { from, to }: TimeSpan): void {
  const lost = [...getJournal(db).lost(), ...lostReadings(db, seriesId)]
  if (lost.some((span) => span.from < to && span.to > from))
    throw new DamagedData(`readings of series ${seriesId} are lost`)
}

function packedAround(db: DatabaseSync, seriesId: number, { from, to }: TimeSpan): Readings {
  const [first, last] = [utcDayNumber(from), utcDayNumber(to)]
  const parts = packedDays(db, seriesId, first, last)
  if (!((parts[0]?.timestamps[0] ?? Number.POSITIVE_INFINITY) <= from))
    parts.unshift(...[packedDayBefore(db, seriesId, first)].filter((day) => day !== undefined))
  if (!((parts.at(-1)?.timestamps.at(-1) ?? Number.NEGATIVE_INFINITY) >= to))
    parts.push(...[packedDayAfter(db, seriesId, last)].filter((day) => day !== undefined))
  return joined(parts)
}

const NONE: number[] = []

/** Concatenates consecutive readings. */
export function joined(parts: readonly Readings[]): Readings {
  const [only] = parts
  if (only && parts.length === 1) return only
  return {
    timestamps: NONE.concat(...parts.map(({ timestamps }) => timestamps)),
    values: NONE.concat(...parts.map(({ values }) => values)),
  }
}

type LatestRow = [seriesId: number, ts: number | null, value: number | null, checksum: number | null]

const LATEST_OF_SITE =
  'SELECT series_id, ts, value, checksum FROM series LEFT JOIN latest_readings USING (series_id) WHERE site_uuid = ?'

/** A step takes about a millisecond. */
const SERIES_PER_STEP = 200

interface LatestRows {
  lost: readonly (TimeSpan & { seriesId?: number | undefined })[]
  rows: readonly LatestRow[]
  /** The newest reading of each row's series in the journal. */
  unpacked: readonly (LatestReading | undefined)[]
}

function readLatestRows(db: DatabaseSync, siteUuid: string, seriesIds?: readonly number[]): LatestRows {
  const hot = getJournal(db).hot()
  const rows = seriesIds
    ? seriesIds.flatMap((id) =>
        prepareArraysOnce<LatestRow>(db, `${LATEST_OF_SITE} AND series_id = ?`).all(siteUuid, id),
      )
    : prepareArraysOnce<LatestRow>(db, LATEST_OF_SITE).all(siteUuid)
  return {
    lost: [...getJournal(db).lost(), ...lostReadings(db)],
    rows,
    unpacked: rows.map(([seriesId]) => hot.newest(seriesId)),
  }
}

/** The newest reading of each given series of a site; by default of all. */
export function* latestSteps(
  db: DatabaseSync,
  siteUuid: string,
  seriesIds?: readonly number[],
): Steps<Map<number, LatestReading>> {
  // Read everything before the first yield: later, the index may lack readings that were compacted after the rows were
  // read.
  const { lost, rows, unpacked } = inOneSnapshot(db, () => readLatestRows(db, siteUuid, seriesIds))
  const latest = new Map<number, LatestReading>()
  for (const [index, row] of rows.entries()) {
    const [seriesId] = row
    const packed = verifiedLatest(db, row)
    const own = unpacked[index]
    const newest = own && own.at >= (packed?.at ?? 0) ? own : packed
    // A lost reading may have been newer.
    const isLast = lost.every((span) => !concerns(span, seriesId) || span.to <= (newest?.at ?? 0))
    if (newest && isLast) latest.set(seriesId, newest)
    if (index % SERIES_PER_STEP === 0) yield
  }
  return latest
}

/** Series that are read in one step, which takes about a millisecond. */
const RECENT_PER_STEP = 10

/** The newest readings of each given series of a site. */
export function* recentSteps(
  db: DatabaseSync,
  siteUuid: string,
  seriesIds: readonly number[],
  count: number,
): Steps<Map<number, Readings>> {
  const recent = new Map<number, Readings>()
  const ofSite = prepareArraysOnce(db, 'SELECT 1 FROM series WHERE site_uuid = ? AND series_id = ?')
  for (const [index, seriesId] of seriesIds.entries()) {
    if (index % RECENT_PER_STEP === RECENT_PER_STEP - 1) yield
    if (ofSite.all(siteUuid, seriesId).length === 0) continue
    const readings = findRecent(db, seriesId, count)
    if (readings && readings.timestamps.length > 0) recent.set(seriesId, readings)
  }
  return recent
}

/** Undefined if readings are damaged; the damage is reported where it is found. */
function findRecent(db: DatabaseSync, seriesId: number, count: number): Readings | undefined {
  try {
    return inOneSnapshot(db, () => {
      const hot = getJournal(db).hot().of(seriesId)
      const days: Readings[] = []
      let first = Number.MAX_SAFE_INTEGER
      for (let found = 0; found < count; ) {
        const day = packedDayBefore(db, seriesId, first)
        const at = day?.timestamps[0]
        if (!day || at === undefined) break
        days.unshift(day)
        first = utcDayNumber(at)
        found += day.timestamps.length
      }
      const packed = joined(days)
      return sliceLast(overlay(packed, hot), count)
    })
  } catch (error) {
    if (error instanceof DamagedData) return undefined
    throw error
  }
}

/** Reads without yielding, for threads that serve no requests. */
export const latestReadings = (db: DatabaseSync, siteUuid: string): Map<number, LatestReading> =>
  runSteps(latestSteps(db, siteUuid))

const concerns = (lost: { seriesId?: number | undefined }, seriesId: number): boolean =>
  lost.seriesId === undefined || lost.seriesId === seriesId

/** The newest packed reading, from its own row or, if that is damaged, from the last packed day. */
function verifiedLatest(
  db: DatabaseSync,
  [seriesId, at, value, checksum]: LatestRow,
): LatestReading | undefined {
  if (at === null) return undefined
  const stored = { at, value: Number(value) }
  if (numbersChecksum('latest_readings', [seriesId, at, stored.value]) === checksum) return stored
  reportDamage(db, { table: 'latest_readings', seriesId, reason: 'the checksum is wrong' })
  return lastPacked(db, seriesId)
}

export function lastPacked(db: DatabaseSync, seriesId: number): LatestReading | undefined {
  const day = packedDayBefore(db, seriesId, Number.MAX_SAFE_INTEGER)
  const at = day?.timestamps.at(-1)
  const value = day?.values.at(-1)
  return at === undefined || value === undefined ? undefined : { at, value }
}

/** The time from the first to the last reading of a series, in whole days. */
export function readingRange(db: DatabaseSync, seriesId: number): TimeSpan | undefined {
  const hot = getJournal(db).hot().of(seriesId)?.timestamps
  const row = prepareOnce(
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
    firsts.push(numberAt(hot, 0))
    lasts.push(numberAt(hot, hot.length - 1))
  }
  return firsts.length === 0 ? undefined : { from: Math.min(...firsts), to: Math.max(...lasts) }
}

/** The reading port on one connection, for the writer. */
export const storedReadings = (db: DatabaseSync): ReadingReader => ({
  around: async (_siteUuid, seriesId, span) => readingsAround(db, seriesId, span),
  within: async (_siteUuid, seriesId, span) => readingsWithin(db, seriesId, span),
})
