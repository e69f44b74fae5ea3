import type { DatabaseSync } from 'node:sqlite'
import { fileVersionOf, prepared } from './connect.ts'
import { integer } from './row.ts'

/** What the writer knows of the newest packed readings; void as soon as another connection has committed. */
const told = new WeakMap<DatabaseSync, { fileVersion: number; bySeries: Map<number, number> }>()

function toldOf(db: DatabaseSync): Map<number, number> {
  const fileVersion = fileVersionOf(db)
  let known = told.get(db)
  if (known?.fileVersion !== fileVersion) told.set(db, (known = { fileVersion, bySeries: new Map() }))
  return known.bySeries
}

/** The instant of the newest reading of a series that is packed. */
export const latestPacked = (db: DatabaseSync, seriesId: number): number => latestPackedIn(db)(seriesId)

/** The same for one series after the other, within a transaction. */
export function latestPackedIn(db: DatabaseSync): (seriesId: number) => number {
  const known = toldOf(db)
  return (seriesId) => {
    let latest = known.get(seriesId)
    if (latest === undefined) {
      const row = prepared(db, 'SELECT ts FROM latest_readings WHERE series_id = ?').get(seriesId)
      known.set(seriesId, (latest = row ? integer(row, 'ts') : Number.NEGATIVE_INFINITY))
    }
    return latest
  }
}

export function noteLatestPacked(db: DatabaseSync, seriesId: number, at: number, value: number): void {
  prepared(
    db,
    `INSERT INTO latest_readings (series_id, ts, value) VALUES (?, ?, ?)
     ON CONFLICT (series_id) DO UPDATE SET ts = excluded.ts, value = excluded.value WHERE excluded.ts >= ts`,
  ).run(seriesId, at, value)
  toldOf(db).delete(seriesId)
}

/** After a rollback: what was packed was not. */
export const forgetLatestPacked = (db: DatabaseSync): void => void told.delete(db)
