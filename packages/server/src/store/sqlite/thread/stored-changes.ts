import type { DatabaseSync } from 'node:sqlite'
import { getDataVersion } from '../connect.ts'

/** What this connection has stored about the latest changes of a series. */
interface StoredChange {
  /** The days in the rollup queue, as instants. */
  from: number
  before: number
  /** End of the days that the corrections of its spaces contain. */
  correctedBefore: number
  /** Until this time, these corrections need not be postponed. */
  correctedUntil: number
  /** When these days last changed. */
  changedAt: number
}

const caches = new WeakMap<DatabaseSync, { dataVersion: number; bySeries: Map<number, StoredChange> }>()

/**
 * By series, valid until another connection commits: the readings of an import would enqueue and correct the same days
 * thousands of times.
 */
export function getStoredChanges(db: DatabaseSync): Map<number, StoredChange> {
  const dataVersion = getDataVersion(db)
  let known = caches.get(db)
  if (known?.dataVersion !== dataVersion) caches.set(db, (known = { dataVersion, bySeries: new Map() }))
  return known.bySeries
}

/** Without reading the file, which may be what has failed. */
export const forgetStoredChanges = (db: DatabaseSync): void => void caches.delete(db)
