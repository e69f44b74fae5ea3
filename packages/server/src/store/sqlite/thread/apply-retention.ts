import type { DatabaseSync } from 'node:sqlite'
import { numberAt } from '../../../kernel/at.ts'
import type { CellSource } from '../../../domain/telemetry/rollup/cells.ts'
import { quarterHoursToRetain } from '../../../domain/telemetry/rollup/retained-quarter-hours.ts'
import type { DeviceSeries, SeriesIndex } from '../../../domain/telemetry/rollup/series-index.ts'
import { rowChecksum } from '../../../kernel/row-checksum.ts'
import { DAY_MS, utcDayNumber, type Readings } from '../../../domain/telemetry/reading/packed-day.ts'
import {
  type RetentionCutoff,
  getRetentionCutoff,
  boundaryReadingCount,
} from '../../../domain/telemetry/reading/retention.ts'
import { prepareOnce } from '../connect.ts'
import { DamagedData } from '../../damage.ts'
import { dropDaysBefore } from '../journal/day-runs.ts'
import { getJournal } from '../journal/journal.ts'
import { packedDays, packReadings } from '../journal/reading-days.ts'
import { sqliteRollups } from '../rollups/rollups.ts'
import { integer } from '../row.ts'
import { getSeriesIndex, siteOfSeries } from '../rollups/series-index.ts'
import { loadSeriesDays, putSeriesDays } from '../journal/series-days.ts'
import { firstStale } from './rollup-queue.ts'
import { joined, storedReadings } from '../journal/stored-readings.ts'

/** Deletes readings beyond retention. Their quarter hours and all rollups are kept. */
export interface RetentionRun {
  /** Does a part of the work; returns whether there is more. Runs inside a transaction. */
  step(): Promise<boolean>
  readonly startedAt: number
  /** The series that a step is working on. */
  readonly currentSeries: number | undefined
  /** The last series that was handled; set it back after a rollback. */
  lastSeries: number
}

export function startRetentionRun(
  db: DatabaseSync,
  retentionMs: number,
  now: number,
  isPostponed: (seriesId: number) => boolean,
): RetentionRun {
  const cut = getRetentionCutoff(now, retentionMs)
  let currentSeries: number | undefined
  const dropping: RetentionRun = {
    startedAt: now,
    get currentSeries() {
      return currentSeries
    },
    lastSeries: Number.NEGATIVE_INFINITY,
    async step() {
      currentSeries = undefined
      const journal = getJournal(db)
      journal.hot()
      // From now on, no rollup of a device for these days is deleted: it could not be recomputed.
      if (journal.retentionWatermark() < cut.immutableBefore)
        journal.setRetentionWatermark(cut.immutableBefore)
      const row = prepareOnce(
        db,
        'SELECT min(series_id) AS series_id FROM latest_readings WHERE series_id > ?',
      ).get(dropping.lastSeries)
      if (!row || row['series_id'] === null) return false
      const seriesId = integer(row, 'series_id')
      currentSeries = dropping.lastSeries = seriesId
      if (!isPostponed(seriesId)) await dropSeries(db, seriesId, cut).catch(unlessDamaged)
      return true
    },
  }
  return dropping
}

/** Readings of a series with damage are not dropped until an operator has dealt with it. */
function unlessDamaged(error: unknown): void {
  if (!(error instanceof DamagedData)) throw error
}

async function dropSeries(db: DatabaseSync, seriesId: number, cut: RetentionCutoff): Promise<void> {
  const siteUuid = siteOfSeries(db, seriesId)
  const index = siteUuid === undefined ? undefined : getSeriesIndex(db, siteUuid)
  const device = index?.devices.get(seriesId)
  if (siteUuid === undefined || !index || !device) return
  // Days that are still to be rolled up need their readings.
  const end = Math.min(
    index.days.dayAt(cut.immutableBefore),
    firstStale(db, seriesId) ?? Number.POSITIVE_INFINITY,
  )
  const retainedFrom = Math.min(
    utcDayNumber(cut.retentionWatermark),
    utcDayNumber(index.days.startOfDay(end)),
  )
  const old = prepareOnce(db, 'SELECT day FROM reading_days WHERE series_id = ? AND day < ? ORDER BY day')
    .all(seriesId, retainedFrom)
    .map((row) => integer(row, 'day'))
  const [first] = old
  const { edge, isAll } = findBoundaryReadings(db, device, old)
  if (first === undefined || isAll) return
  await keepQuarters(db, siteUuid, index, device, index.days.dayAt(first * DAY_MS), end - 1)
  prepareOnce(db, 'DELETE FROM reading_days WHERE series_id = ? AND day < ?').run(seriesId, retainedFrom)
  putSeriesDays(db, seriesId, dropDaysBefore(loadSeriesDays(db, seriesId), retainedFrom))
  if (edge.timestamps.length > 0) packReadings(db, seriesId, edge)
}

/** The readings to keep of days that are deleted, and whether these are all of them. */
function findBoundaryReadings(
  db: DatabaseSync,
  { seriesId, spec }: DeviceSeries,
  days: readonly number[],
): { edge: Readings; isAll: boolean } {
  let last: Readings = { timestamps: [], values: [] }
  let left = days.length
  const count = (): number => boundaryReadingCount(spec.kind, last.timestamps)
  while (left > 0 && count() === last.timestamps.length) {
    left -= 1
    const day = numberAt(days, left)
    last = joined([...packedDays(db, seriesId, day, day), last])
  }
  const start = last.timestamps.length - count()
  const edge = { timestamps: last.timestamps.slice(start), values: last.values.slice(start) }
  return { edge, isAll: left === 0 && start === 0 }
}

async function keepQuarters(
  db: DatabaseSync,
  siteUuid: string,
  { days }: SeriesIndex,
  device: DeviceSeries,
  from: number,
  upTo: number,
): Promise<void> {
  const source: CellSource = {
    siteUuid,
    days,
    readings: storedReadings(db),
    rollups: sqliteRollups(() => db),
  }
  for (const { number, cells } of await quarterHoursToRetain(source, device, { from, to: upTo })) {
    prepareOnce(
      db,
      'INSERT INTO rollup_quarter_hours (series_id, day, cells, checksum) VALUES (?, ?, ?, ?)',
    ).run(device.seriesId, number, cells, rowChecksum('rollup_quarter_hours', device.seriesId, number, cells))
  }
}
