import type { DatabaseSync } from 'node:sqlite'
import { numbersChecksum } from '../../../kernel/row-checksum.ts'
import { getDataVersion, prepareOnce, prepareArraysOnce } from '../connect.ts'
import { reportDamage } from '../damage.ts'

/** The writer's cache of the newest compacted readings, valid until another connection commits. */
const caches = new WeakMap<DatabaseSync, { dataVersion: number; bySeries: Map<number, number> }>()

function getCache(db: DatabaseSync): Map<number, number> {
  const dataVersion = getDataVersion(db)
  let known = caches.get(db)
  if (known?.dataVersion !== dataVersion) caches.set(db, (known = { dataVersion, bySeries: new Map() }))
  return known.bySeries
}

/** The instant of the newest compacted reading of a series. */
export const getLatestCompacted = (db: DatabaseSync, seriesId: number): number => latestPackedIn(db)(seriesId)

/** Returns a lookup of `getLatestCompacted` for many series within a transaction. */
export function latestPackedIn(db: DatabaseSync): (seriesId: number) => number {
  const known = getCache(db)
  return (seriesId) => {
    let latest = known.get(seriesId)
    if (latest === undefined) {
      // The first read reports a damaged row, and the writer rebuilds it; the second returns the rebuilt row.
      latest = readLatest(db, seriesId) ?? readLatest(db, seriesId) ?? Number.NEGATIVE_INFINITY
      known.set(seriesId, latest)
    }
    return latest
  }
}

function readLatest(db: DatabaseSync, seriesId: number): number | undefined {
  const at = findLatestPacked(db, seriesId)
  if (at === undefined)
    reportDamage(db, { table: 'latest_readings', seriesId, reason: 'the checksum is wrong' })
  return at
}

/** The stored instant; minus infinity without a row, undefined if the row is damaged. */
export function findLatestPacked(db: DatabaseSync, seriesId: number): number | undefined {
  const [row] = prepareArraysOnce<[at: number, value: number, checksum: number]>(
    db,
    'SELECT ts, value, checksum FROM latest_readings WHERE series_id = ?',
  ).all(seriesId)
  if (!row) return Number.NEGATIVE_INFINITY
  const [at, value, checksum] = row
  return numbersChecksum('latest_readings', [seriesId, at, value]) === checksum ? at : undefined
}

export function setLatestCompacted(db: DatabaseSync, seriesId: number, at: number, value: number): void {
  prepareOnce(
    db,
    `INSERT INTO latest_readings (series_id, ts, value, checksum) VALUES (?, ?, ?, ?)
     ON CONFLICT (series_id) DO UPDATE SET ts = excluded.ts, value = excluded.value, checksum = excluded.checksum
     WHERE excluded.ts >= ts`,
  ).run(seriesId, at, value, numbersChecksum('latest_readings', [seriesId, at, value]))
  getCache(db).delete(seriesId)
}

/** Resets the cache after a rollback. */
export const resetLatestCompacted = (db: DatabaseSync): void => void caches.delete(db)
