import type { DatabaseSync } from 'node:sqlite'
import { numberAt } from '../../../lib/at.ts'
import type { CellSource } from '../../../telemetry/rollup/cells.ts'
import { quartersToKeep } from '../../../telemetry/rollup/kept-quarters.ts'
import type { DeviceSeries, SeriesIndex } from '../../../telemetry/rollup/series-index.ts'
import { rowChecksum } from '../../../lib/row-checksum.ts'
import { DAY_MS, dayOf, type Readings } from '../../../reading/packed-day.ts'
import { type Cut, cutAt, edgeCount } from '../../../reading/retention.ts'
import { prepared } from '../connect.ts'
import { DamagedData } from '../../damaged-data.ts'
import { dropDaysBefore } from '../day-runs.ts'
import { journalOf } from '../journal.ts'
import { packedDays, packReadings } from '../reading-days.ts'
import { sqliteRollups } from '../rollups.ts'
import { integer } from '../row.ts'
import { seriesIndexOf, siteOfSeries } from '../series-index.ts'
import { loadSeriesDays, putSeriesDays } from '../series-days.ts'
import { firstStale } from './stale-days.ts'
import { joined, storedReadings } from '../stored-readings.ts'

/** Drops readings that are older than they are kept; their quarter hours stay, as do all rollups. */
export interface Dropping {
  /** Does some of it; answers whether there is more. Runs inside a transaction. */
  step(): Promise<boolean>
  readonly startedAt: number
  /** The series that a step is working on. */
  readonly currentSeries: number | undefined
  /** The last series that was handled; set it back after a rollback. */
  lastSeries: number
}

export function startDropping(
  db: DatabaseSync,
  retentionMs: number,
  now: number,
  isPostponed: (seriesId: number) => boolean,
): Dropping {
  const cut = cutAt(now, retentionMs)
  let currentSeries: number | undefined
  const dropping: Dropping = {
    startedAt: now,
    get currentSeries() {
      return currentSeries
    },
    lastSeries: Number.NEGATIVE_INFINITY,
    async step() {
      currentSeries = undefined
      const journal = journalOf(db)
      journal.hot()
      // From here on no device's rollup of these days is taken away: it could not be made again.
      if (journal.droppedBefore() < cut.finalBefore) journal.noteDropped(cut.finalBefore)
      const row = prepared(
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

async function dropSeries(db: DatabaseSync, seriesId: number, cut: Cut): Promise<void> {
  const siteUuid = siteOfSeries(db, seriesId)
  const index = siteUuid === undefined ? undefined : seriesIndexOf(db, siteUuid)
  const device = index?.devices.get(seriesId)
  if (siteUuid === undefined || !index || !device) return
  // Days that are still to be rolled up need their readings.
  const end = Math.min(
    index.days.numberAt(cut.finalBefore),
    firstStale(db, seriesId) ?? Number.POSITIVE_INFINITY,
  )
  const keptFrom = Math.min(dayOf(cut.droppedBefore), dayOf(index.days.startOf(end)))
  const old = prepared(db, 'SELECT day FROM reading_days WHERE series_id = ? AND day < ? ORDER BY day')
    .all(seriesId, keptFrom)
    .map((row) => integer(row, 'day'))
  const [first] = old
  const { edge, isAll } = edgeOf(db, device, old)
  if (first === undefined || isAll) return
  await keepQuarters(db, siteUuid, index, device, index.days.numberAt(first * DAY_MS), end - 1)
  prepared(db, 'DELETE FROM reading_days WHERE series_id = ? AND day < ?').run(seriesId, keptFrom)
  putSeriesDays(db, seriesId, dropDaysBefore(loadSeriesDays(db, seriesId), keptFrom))
  if (edge.timestamps.length > 0) packReadings(db, seriesId, edge)
}

/** What stays of days that go, and whether that is all there is. */
function edgeOf(
  db: DatabaseSync,
  { seriesId, spec }: DeviceSeries,
  days: readonly number[],
): { edge: Readings; isAll: boolean } {
  let last: Readings = { timestamps: [], values: [] }
  let left = days.length
  const count = (): number => edgeCount(spec.kind, last.timestamps)
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
  for (const { number, cells } of await quartersToKeep(source, device, { from, to: upTo })) {
    prepared(db, 'INSERT INTO rollup_quarters (series_id, day, cells, checksum) VALUES (?, ?, ?, ?)').run(
      device.seriesId,
      number,
      cells,
      rowChecksum('rollup_quarters', device.seriesId, number, cells),
    )
  }
}
