import type { DatabaseSync } from 'node:sqlite'
import { forgetDataVersion, prepareOnce } from './connect.ts'

/**
 * Runs several reads on one view of the file. A single statement sees the newest commit: rows that are compared with
 * each other would differ whenever another connection commits between two statements.
 */
export function inOneSnapshot<T>(db: DatabaseSync, work: () => T): T {
  if (db.isTransaction) return work()
  prepareOnce(db, 'BEGIN').run()
  try {
    const result = work()
    prepareOnce(db, 'COMMIT').run()
    return result
  } catch (error) {
    rollBack(db)
    throw error
  }
}

/** An asynchronous `inOneSnapshot`, for a connection that nothing else uses until `work` is done. */
export async function inOneAsyncSnapshot<T>(db: DatabaseSync, work: () => Promise<T>): Promise<T> {
  prepareOnce(db, 'BEGIN').run()
  // The journal index has to match this snapshot, not an earlier one.
  forgetDataVersion(db)
  try {
    const result = await work()
    prepareOnce(db, 'COMMIT').run()
    return result
  } catch (error) {
    rollBack(db)
    throw error
  }
}

/** SQLite ends the transaction itself after some errors; a second rollback would hide the error. */
function rollBack(db: DatabaseSync): void {
  if (db.isTransaction) prepareOnce(db, 'ROLLBACK').run()
}
