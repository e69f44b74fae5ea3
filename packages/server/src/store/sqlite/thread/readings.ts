import type { DatabaseSync } from 'node:sqlite'
import { numberAt } from '../../../kernel/at.ts'
import { systemClock } from '../../../kernel/clock.ts'
import { lowerBound } from '../../../kernel/binary-search.ts'
import {
  forEachSeries,
  type ReadingBatch,
  toReadingBatch,
  type SeriesReadings,
} from '../../../domain/telemetry/reading/batch.ts'
import { utcDayNumber, type Readings } from '../../../domain/telemetry/reading/packed-day.ts'
import type { AddResult, OnConflict } from '../../../domain/telemetry/reading/store.ts'
import type { JournalIndex } from '../journal/journal-index.ts'
import { unpackBatch, packBatch } from '../journal/journal-batch.ts'
import { getJournal } from '../journal/journal.ts'
import { getLatestCompacted, latestPackedIn } from '../journal/latest-readings.ts'
import { salvage } from '../quarantine.ts'
import { packedDays, packReadings } from '../journal/reading-days.ts'
import { enqueuePacked } from './compact-journal.ts'
import { type Newest, invalidateChanged } from './invalidate-rollups.ts'
import { bumpRollupVersion } from './rollup-rows.ts'

export const readingWrites = {
  /** `packed` is the result of `packBatch`. */
  add(db: DatabaseSync, siteUuid: string, packed: Uint8Array, onConflict: OnConflict): AddResult {
    const journal = getJournal(db)
    const batch = unpackBatch(packed)
    const newest = newestBefore(db, journal.hot(), batch)
    if (!newest) return addOneByOne(db, siteUuid, batch, onConflict)
    journal.append(packed, batch)
    invalidateChanged(db, siteUuid, batch, systemClock.now(), newest)
    return { accepted: batch.timestamps.length, replaced: 0, unchanged: 0 }
  },
}

/**
 * The usual case, decided in memory: a few readings of each series, all newer than its newest one. Returns the newest
 * reading of each series before the batch; undefined in any other case.
 */
function newestBefore(db: DatabaseSync, hot: JournalIndex, batch: ReadingBatch): Newest | undefined {
  const packed = latestPackedIn(db)
  const newest: Newest = new Float64Array(batch.heads.length / 2)
  let place = 0
  let isNewer = newest.length > 0
  forEachSeries(batch, (seriesId, from, to) => {
    const known = Math.max(hot.newestAt(seriesId), packed(seriesId))
    const first = batch.timestamps[from] ?? Number.NEGATIVE_INFINITY
    isNewer &&= to > from && to - from < HISTORY_READINGS && known < first
    newest[place++] = known
  })
  return isNewer ? newest : undefined
}

const isNewest = (db: DatabaseSync, hot: JournalIndex, seriesId: number, at: number): boolean =>
  Math.max(hot.newestAt(seriesId), getLatestCompacted(db, seriesId)) < at

function addOneByOne(
  db: DatabaseSync,
  siteUuid: string,
  batch: ReadingBatch,
  onConflict: OnConflict,
): AddResult {
  const journal = getJournal(db)
  const hot = journal.index
  const added: AddResult = { accepted: 0, replaced: 0, unchanged: 0 }
  const changes: SeriesReadings[] = []
  const history: SeriesReadings[] = []
  const recent: RecentSeries[] = []
  /** Series of which only some readings are new. */
  let reduced = 0
  forEachSeries(batch, (seriesId, from, to) => {
    const sent = {
      seriesId,
      timestamps: batch.timestamps.subarray(from, to),
      values: batch.values.subarray(from, to),
    }
    // Not copied: an import may contain years of a series.
    if (isNewHistory(db, hot, sent)) {
      added.accepted += to - from
      history.push(sent)
      changes.push(sent)
      return
    }
    const series = { seriesId, ...copyReadings(sent) }
    const changed = changesIn(db, hot, series, onConflict, added)
    if (changed !== series) reduced += 1
    if (changed.timestamps.length === 0) return
    changes.push(changed)
    if (isHistory(hot, changed)) history.push(changed)
    else recent.push(changed)
  })
  const now = systemClock.now()
  for (const series of history) {
    packReadings(db, series.seriesId, series)
    enqueuePacked(db, series.seriesId, series.timestamps, now)
    // Connections that tail the journal do not see these readings.
    bumpRollupVersion(db, series.seriesId)
  }
  if (recent.length > 0) journal.append(packBatch(toReadingBatch(recent)))
  invalidateChanged(db, siteUuid, reduced === 0 ? batch : toReadingBatch(changes), now)
  return added
}

/** `Array.from` iterates and allocates a number for each element, which takes several times as long. */
function copyReadings({ timestamps, values }: Omit<SeriesReadings, 'seriesId'>): Readings {
  const copy: Readings = { timestamps: [], values: [] }
  for (let index = 0; index < timestamps.length; index += 1) {
    copy.timestamps.push(numberAt(timestamps, index))
    copy.values.push(numberAt(values, index))
  }
  return copy
}

/** New or changed readings of a series. */
interface RecentSeries extends Readings {
  seriesId: number
}

/** From this many readings of one series on, dense enough to fill its days, writing packed days directly is faster. */
const HISTORY_READINGS = 200
const HISTORY_READINGS_A_DAY = 20

/**
 * Long histories are written directly into packed days, unless the journal, which takes precedence, has the same
 * instants.
 */
function isHistory(hot: JournalIndex, { seriesId, timestamps }: RecentSeries): boolean {
  if (!isDense(timestamps)) return false
  const own = hot.of(seriesId)
  return !own || !timestamps.some((at) => valueAt(own, at) !== undefined)
}

function isDense(timestamps: ArrayLike<number>): boolean {
  if (timestamps.length < HISTORY_READINGS) return false
  const days =
    utcDayNumber(numberAt(timestamps, timestamps.length - 1)) - utcDayNumber(numberAt(timestamps, 0)) + 1
  return timestamps.length >= days * HISTORY_READINGS_A_DAY
}

/** A long history of which every reading is newer than the stored ones. */
const isNewHistory = (
  db: DatabaseSync,
  hot: JournalIndex,
  { seriesId, timestamps }: SeriesReadings,
): boolean => isDense(timestamps) && isNewest(db, hot, seriesId, numberAt(timestamps, 0))

/** The readings that are new or changed; counts all outcomes. */
function changesIn(
  db: DatabaseSync,
  hot: JournalIndex,
  series: RecentSeries,
  onConflict: OnConflict,
  added: AddResult,
): RecentSeries {
  const { seriesId, timestamps, values } = series
  const first = timestamps[0]
  if (first === undefined) return series
  if (isNewest(db, hot, seriesId, first)) {
    added.accepted += timestamps.length
    return series
  }
  const own = hot.of(seriesId)
  const isPackedNewer = getLatestCompacted(db, seriesId) >= first
  const packed = isPackedNewer
    ? salvage(db, () =>
        packedDays(
          db,
          seriesId,
          utcDayNumber(first),
          utcDayNumber(numberAt(timestamps, timestamps.length - 1)),
        ),
      )
    : []
  const changes: RecentSeries = { seriesId, timestamps: [], values: [] }
  for (let index = 0; index < timestamps.length; index += 1) {
    const at = numberAt(timestamps, index)
    const value = numberAt(values, index)
    const known = valueAt(own, at) ?? valueIn(packed, at)
    if (known !== undefined && (known === value || onConflict === 'keep')) {
      added.unchanged += 1
      continue
    }
    added[known === undefined ? 'accepted' : 'replaced'] += 1
    changes.timestamps.push(at)
    changes.values.push(value)
  }
  return changes
}

function valueAt(readings: Readings | undefined, at: number): number | undefined {
  if (!readings) return undefined
  const index = lowerBound(readings.timestamps, at)
  return readings.timestamps[index] === at ? readings.values[index] : undefined
}

const valueIn = (days: readonly Readings[], at: number): number | undefined => {
  const day = days.find(({ timestamps }) => utcDayNumber(numberAt(timestamps, 0)) === utcDayNumber(at))
  return valueAt(day, at)
}
