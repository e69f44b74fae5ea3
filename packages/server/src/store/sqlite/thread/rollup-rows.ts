import type { DatabaseSync } from 'node:sqlite'
import { removeDaysFromMonth } from '../../../domain/telemetry/rollup/month-row.ts'
import type { RollupRows } from '../../../domain/telemetry/rollup/roll-up.ts'
import type { RollupRow } from '../../../domain/telemetry/rollup/store.ts'
import { rowChecksum } from '../../../kernel/row-checksum.ts'
import { toMonth } from '../../../calendar/local-day.ts'
import { prepareOnce, prepareArraysOnce } from '../connect.ts'
import { reportDamage } from '../damage.ts'
import { loadSiteState } from '../rollups/site-state.ts'

export const rollupWatermark = (db: DatabaseSync, siteUuid: string): number =>
  loadSiteState(db, siteUuid).rollupWatermark

export const setClosedBefore = (db: DatabaseSync, siteUuid: string, before: number): void =>
  void prepareOnce(
    db,
    `INSERT INTO site_state (site_uuid, rollup_watermark, closed_before) VALUES (?, 0, ?)
     ON CONFLICT (site_uuid) DO UPDATE SET closed_before = excluded.closed_before`,
  ).run(siteUuid, before)

export const advanceRollupWatermark = (db: DatabaseSync, siteUuid: string, before: number): void =>
  void prepareOnce(
    db,
    `INSERT INTO site_state (site_uuid, rollup_watermark) VALUES (?, ?)
     ON CONFLICT (site_uuid) DO UPDATE SET
       rollup_watermark = max(rollup_watermark, excluded.rollup_watermark)`,
  ).run(siteUuid, before)

/** Inserts or replaces the rows of days and months. */
export function putRollups(db: DatabaseSync, seriesId: number, { days, months }: RollupRows): void {
  for (const { number, cells } of days) {
    prepareOnce(
      db,
      `INSERT INTO rollup_days (series_id, day, cells, checksum) VALUES (?, ?, ?, ?)
       ON CONFLICT (series_id, day) DO UPDATE SET cells = excluded.cells, checksum = excluded.checksum`,
    ).run(seriesId, number, cells, rowChecksum('rollup_days', seriesId, number, cells))
  }
  for (const month of months) putMonth(db, seriesId, month)
  if (days.length > 0 || months.length > 0) bumpRollupVersion(db, seriesId)
}

/** Deletes the rollups of a range of days, which are no longer valid. */
export function deleteRollups(db: DatabaseSync, seriesId: number, from: number, to: number): void {
  const { changes } = prepareOnce(
    db,
    'DELETE FROM rollup_days WHERE series_id = ? AND day BETWEEN ? AND ?',
  ).run(seriesId, from, to)
  const months = prepareArraysOnce<[month: number, cells: Uint8Array<ArrayBuffer>, checksum: number]>(
    db,
    'SELECT month, cells, checksum FROM rollup_months WHERE series_id = ? AND month BETWEEN ? AND ?',
  ).all(seriesId, toMonth(from).month, toMonth(to).month)
  for (const [month, cells, checksum] of months) {
    if (rowChecksum('rollup_months', seriesId, month, cells) !== checksum) {
      // The whole month is rebuilt.
      reportDamage(db, { table: 'rollup_months', seriesId, number: month, reason: 'the checksum is wrong' })
      continue
    }
    const left = removeDaysFromMonth({ number: month, cells }, from, to)
    if (left) putMonth(db, seriesId, { number: month, cells: left })
    else prepareOnce(db, 'DELETE FROM rollup_months WHERE series_id = ? AND month = ?').run(seriesId, month)
  }
  if (changes > 0 || months.length > 0) bumpRollupVersion(db, seriesId)
}

/** Invalidates results that were computed from the rollups of the series. */
export const bumpRollupVersion = (db: DatabaseSync, seriesId: number): void =>
  void prepareOnce(
    db,
    `INSERT INTO rollup_versions (series_id, version) VALUES (?, 1)
     ON CONFLICT (series_id) DO UPDATE SET version = version + 1`,
  ).run(seriesId)

const putMonth = (db: DatabaseSync, seriesId: number, { number, cells }: RollupRow): void =>
  void prepareOnce(
    db,
    `INSERT INTO rollup_months (series_id, month, cells, checksum) VALUES (?, ?, ?, ?)
     ON CONFLICT (series_id, month) DO UPDATE SET cells = excluded.cells, checksum = excluded.checksum`,
  ).run(seriesId, number, cells, rowChecksum('rollup_months', seriesId, number, cells))
