import type { DatabaseSync } from 'node:sqlite'
import {
  type CorrectedDays,
  type Correction,
  correctionDueAt,
  includesChange,
  toCorrectionEvents,
  unchangedUntil,
} from '../../../domain/telemetry/closed-days/correction.ts'
import { prepareArraysOnce, prepareOnce } from '../connect.ts'
import { appendEvents } from '../events/event-rows.ts'
import { getSeriesIndex } from '../rollups/series-index.ts'
import { getStoredChanges } from './stored-changes.ts'
import { integer, text } from '../row.ts'

/** Series whose corrections become events in one transaction. */
const SERIES_AT_ONCE = 500

/**
 * Records that values of closed days have changed, in the transaction of the change. Returns until when further changes
 * of the same days need not be recorded.
 */
export function addCorrections(
  db: DatabaseSync,
  siteUuid: string,
  corrected: readonly CorrectedDays[],
  now: number,
): number {
  let until = Number.POSITIVE_INFINITY
  for (const { seriesId, from, end } of corrected) {
    const [row] = prepareArraysOnce<[end: number, firstAt: number, dueAt: number]>(
      db,
      'SELECT end_day, first_at, due_at FROM corrections WHERE site_uuid = ? AND series_id = ? AND from_day = ?',
    ).all(siteUuid, seriesId, from)
    const stored = row && { end: row[0], firstAt: row[1], dueAt: row[2] }
    if (stored && includesChange(stored, end, now)) {
      until = Math.min(until, unchangedUntil(stored))
      continue
    }
    const firstAt = stored?.firstAt ?? now
    const dueAt = correctionDueAt(firstAt, now)
    prepareOnce(
      db,
      `INSERT INTO corrections (site_uuid, series_id, from_day, end_day, first_at, due_at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (site_uuid, series_id, from_day) DO UPDATE SET
         end_day = max(end_day, excluded.end_day), due_at = excluded.due_at`,
    ).run(siteUuid, seriesId, from, end, firstAt, dueAt)
    until = Math.min(until, unchangedUntil({ firstAt, dueAt }))
  }
  return until
}

/** Reports some of the corrections of a site that are due as events. Returns whether there were any. */
export function reportCorrections(db: DatabaseSync, by: number, now: number): boolean {
  const due = prepareOnce(
    db,
    'SELECT site_uuid FROM corrections WHERE due_at <= ? ORDER BY due_at LIMIT 1',
  ).get(by)
  if (!due) return false
  const siteUuid = text(due, 'site_uuid')
  getStoredChanges(db).clear()
  // All rows of a series that is due: adjacent days become one event.
  const rows: Correction[] = prepareOnce(
    db,
    `SELECT * FROM corrections WHERE site_uuid = ?1 AND series_id IN (
       SELECT DISTINCT series_id FROM corrections WHERE site_uuid = ?1 AND due_at <= ?2 LIMIT ?3)`,
  )
    .all(siteUuid, by, SERIES_AT_ONCE)
    .map((row) => ({
      seriesId: integer(row, 'series_id'),
      from: integer(row, 'from_day'),
      end: integer(row, 'end_day'),
      firstAt: integer(row, 'first_at'),
    }))
  for (const { seriesId, from } of rows)
    prepareOnce(db, 'DELETE FROM corrections WHERE site_uuid = ? AND series_id = ? AND from_day = ?').run(
      siteUuid,
      seriesId,
      from,
    )
  const index = getSeriesIndex(db, siteUuid)
  if (index) appendEvents(db, siteUuid, toCorrectionEvents(index, rows, now))
  return true
}
