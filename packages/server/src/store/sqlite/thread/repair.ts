import type { DatabaseSync } from 'node:sqlite'
import { systemClock } from '../../../kernel/clock.ts'
import { rowChecksum } from '../../../kernel/row-checksum.ts'
import { firstDayOfMonth } from '../../../calendar/local-day.ts'
import { utcDayNumber } from '../../../domain/telemetry/reading/packed-day.ts'
import type { TimeSpan } from '../../../calendar/interval.ts'
import type { DamagedRow } from '../../store.ts'
import { prepareOnce, prepareArraysOnce } from '../connect.ts'
import { firstDayAfter, lastDayBefore } from '../journal/day-runs.ts'
import { findLatestPacked, setLatestCompacted } from '../journal/latest-readings.ts'
import { lostReadings, quarantineRow } from '../quarantine.ts'
import { canRebuild, loadRollupVersion } from '../rollups/rollups.ts'
import { integer } from '../row.ts'
import { getSeriesIndex, siteOfSeries } from '../rollups/series-index.ts'
import { findCorrectedDays } from '../../../domain/telemetry/closed-days/correction.ts'
import { addCorrections } from './corrections.ts'
import { loadSiteState } from '../rollups/site-state.ts'
import { bumpRollupVersion, deleteRollups } from './rollup-rows.ts'
import { loadSeriesDays } from '../journal/series-days.ts'
import { enqueue } from './rollup-queue.ts'
import { lastPacked } from '../journal/stored-readings.ts'

const MAX_DAYS_IN_MONTH = 31

type RollupTable = 'rollup_days' | 'rollup_months'

export const repairWrites = {
  /**
   * Rebuilds a damaged row if possible; other damage is left to the operator. Each repair verifies its row again: since
   * it was reported, a write or the repair of another process may have replaced it.
   */
  repairDamage(db: DatabaseSync, row: DamagedRow): void {
    const { table, seriesId, number } = row
    if (table === 'reading_days' || table === 'series_days') quarantineRow(db, row)
    if (seriesId === undefined) return
    if (table === 'latest_readings') rebuildLatest(db, seriesId)
    if ((table === 'rollup_days' || table === 'rollup_months') && number !== undefined) {
      if (!isRollupIntact(db, table, seriesId, number)) rebuildRollup(db, table, seriesId, number)
    }
  },

  /**
   * Rolls up days again whose rollups were found to differ from their readings, unless the rollups of the series have
   * changed since.
   */
  rebuildRollups(db: DatabaseSync, seriesId: number, days: readonly number[], version: number): void {
    if (loadRollupVersion(db, seriesId) !== version) return
    for (const day of days) rebuildRollup(db, 'rollup_days', seriesId, day)
  },

  /** Accepts all losses: open days are then computed from the remaining readings. Returns the number of losses. */
  acceptLoss(db: DatabaseSync): number {
    const lost = lostReadings(db)
    prepareOnce(db, 'UPDATE damaged_readings SET accepted = 1').run()
    for (const { seriesId, ...span } of lost)
      for (const affected of seriesId === undefined ? packedSeries(db) : [seriesId])
        requeueLostDays(db, affected, span)
    return lost.length
  },
}

const packedSeries = (db: DatabaseSync): number[] =>
  prepareOnce(db, 'SELECT series_id FROM series_days')
    .all()
    .map((row) => integer(row, 'series_id'))

/**
 * Queues the days that stayed open because of a loss, from the last day with readings before it to the first one after
 * it, and records corrections of those that are closed.
 */
function requeueLostDays(db: DatabaseSync, seriesId: number, { from, to }: TimeSpan): void {
  const runs = loadSeriesDays(db, seriesId)
  const [first, last] = [runs[0]?.from, runs.at(-1)?.to]
  if (first === undefined || last === undefined) return
  const fromDay = Math.max(first, lastDayBefore(runs, utcDayNumber(from)) ?? first)
  const toDay = Math.min(last, firstDayAfter(runs, utcDayNumber(to)) ?? last)
  const now = systemClock.now()
  if (fromDay > toDay) return
  enqueue(db, { seriesId, from: fromDay - 1, to: toDay + 1, enqueuedAt: now, dueAt: now })
  const siteUuid = siteOfSeries(db, seriesId)
  const index = siteUuid === undefined ? undefined : getSeriesIndex(db, siteUuid)
  if (!index || siteUuid === undefined) return
  const lost = { from: index.days.startOfDay(fromDay - 1), to: index.days.startOfDay(toDay + 2) }
  const { closedBefore } = loadSiteState(db, siteUuid)
  const { spaceSeries = [] } = index.devices.get(seriesId) ?? {}
  addCorrections(db, siteUuid, findCorrectedDays(index.days, spaceSeries, lost, closedBefore), now)
}

/** Whether the row matches its checksum, or has been deleted since. */
function isRollupIntact(db: DatabaseSync, table: RollupTable, seriesId: number, number: number): boolean {
  const column = table === 'rollup_months' ? 'month' : 'day'
  const [row] = prepareArraysOnce<[cells: Uint8Array<ArrayBuffer>, checksum: number]>(
    db,
    `SELECT cells, checksum FROM ${table} WHERE series_id = ? AND ${column} = ?`,
  ).all(seriesId, number)
  return !row || rowChecksum(table, seriesId, number, row[0]) === row[1]
}

/** Deletes the row and queues its days: until they are rolled up again, they are computed from the readings. */
function rebuildRollup(db: DatabaseSync, table: RollupTable, seriesId: number, number: number): void {
  if (!canRebuild(db, table, number)) return
  const now = systemClock.now()
  const isMonth = table === 'rollup_months'
  const from = isMonth ? firstDayOfMonth(number) : number
  const to = isMonth ? from + MAX_DAYS_IN_MONTH - 1 : number
  if (isMonth) {
    prepareOnce(db, 'DELETE FROM rollup_months WHERE series_id = ? AND month = ?').run(seriesId, number)
    bumpRollupVersion(db, seriesId)
  } else {
    deleteRollups(db, seriesId, from, to)
  }
  enqueue(db, { seriesId, from, to, enqueuedAt: now, dueAt: now })
}

function rebuildLatest(db: DatabaseSync, seriesId: number): void {
  if (findLatestPacked(db, seriesId) !== undefined) return
  prepareOnce(db, 'DELETE FROM latest_readings WHERE series_id = ?').run(seriesId)
  const last = lastPacked(db, seriesId)
  if (last) setLatestCompacted(db, seriesId, last.at, last.value)
}
