import type { DatabaseSync } from 'node:sqlite'
import { reopenPlaces } from '../../aggregate/cell-row.ts'
import type { CellKind } from '../../aggregate/cell-kind.ts'
import type { SealedDay } from '../../aggregate/seal.ts'
import { firstDayOf, monthOf } from '../../metric/local-day.ts'
import { prepared } from './connect.ts'
import { blob, integer } from './row.ts'

const EMPTY_MONTH: readonly undefined[] = Array.from({ length: 31 }, () => undefined)

/** No rollup of the site reaches beyond this instant: whatever is newer makes none of them untrue. */
export function sealedBefore(db: DatabaseSync, siteUuid: string): number {
  const row = prepared(db, 'SELECT before FROM sealed WHERE site_uuid = ?').get(siteUuid)
  return row ? integer(row, 'before') : Number.NEGATIVE_INFINITY
}

export const noteSealedBefore = (db: DatabaseSync, siteUuid: string, before: number): void =>
  void prepared(
    db,
    `INSERT INTO sealed (site_uuid, before) VALUES (?, ?)
     ON CONFLICT (site_uuid) DO UPDATE SET before = max(before, excluded.before)`,
  ).run(siteUuid, before)

export function putSealedDays<C>(
  db: DatabaseSync,
  kind: CellKind<C>,
  seriesId: number,
  members: number,
  sealed: readonly SealedDay<C>[],
): void {
  for (const { day, slots } of sealed) {
    prepared(
      db,
      `INSERT INTO rollup_days (series_id, day, cells) VALUES (?, ?, ?)
       ON CONFLICT (series_id, day) DO UPDATE SET cells = excluded.cells`,
    ).run(seriesId, day, slots)
  }
  for (const [month, days] of Map.groupBy(sealed, ({ day }) => monthOf(day).month)) {
    const known = monthRow(db, seriesId, month)
    const row = [...((known && kind.unpack(known, members)) ?? EMPTY_MONTH)]
    for (const { day, cell } of days) row[monthOf(day).index] = cell
    putMonth(db, seriesId, month, kind.pack(row, members))
  }
}

/** The days of a range that have no rollup. */
export function openDays<C>(
  db: DatabaseSync,
  kind: CellKind<C>,
  seriesId: number,
  members: number,
  from: number,
  to: number,
): number[] {
  const open: number[] = []
  let row: readonly (C | undefined)[] | undefined
  let rowMonth: number | undefined
  for (let day = from; day <= to; day += 1) {
    const { month, index } = monthOf(day)
    if (month !== rowMonth) {
      const known = monthRow(db, seriesId, month)
      row = known && kind.unpack(known, members)
      rowMonth = month
    }
    if (row?.[index] === undefined) open.push(day)
  }
  return open
}

/** Takes away the rollups of a range of days: they are untrue from now on. */
export function reopenDays(db: DatabaseSync, seriesId: number, from: number, to: number): void {
  prepared(db, 'DELETE FROM rollup_days WHERE series_id = ? AND day BETWEEN ? AND ?').run(seriesId, from, to)
  const months = prepared(
    db,
    'SELECT month, cells FROM rollup_months WHERE series_id = ? AND month BETWEEN ? AND ?',
  ).all(seriesId, monthOf(from).month, monthOf(to).month)
  for (const row of months) {
    const month = integer(row, 'month')
    const first = firstDayOf(month)
    const left = reopenPlaces(blob(row, 'cells'), (place) => first + place >= from && first + place <= to)
    if (left) putMonth(db, seriesId, month, left)
    else prepared(db, 'DELETE FROM rollup_months WHERE series_id = ? AND month = ?').run(seriesId, month)
  }
}

function monthRow(db: DatabaseSync, seriesId: number, month: number): Uint8Array | undefined {
  const row = prepared(db, 'SELECT cells FROM rollup_months WHERE series_id = ? AND month = ?').get(
    seriesId,
    month,
  )
  return row && blob(row, 'cells')
}

const putMonth = (db: DatabaseSync, seriesId: number, month: number, cells: Uint8Array): void =>
  void prepared(
    db,
    `INSERT INTO rollup_months (series_id, month, cells) VALUES (?, ?, ?)
     ON CONFLICT (series_id, month) DO UPDATE SET cells = excluded.cells`,
  ).run(seriesId, month, cells)
