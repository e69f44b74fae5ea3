import type { DatabaseSync } from 'node:sqlite'
import type { Snapshots } from '../../domain/telemetry/export/store.ts'
import { unavailable } from '../../kernel/errors.ts'
import { toStoreError } from './failure.ts'
import { storedReadings } from './journal/stored-readings.ts'
import { sqliteRollups } from './rollups/rollups.ts'
import { inOneAsyncSnapshot } from './snapshot.ts'

/** Days are read in order, and hardly any page twice. */
const CACHE_KIB = 2_000

/** A separate connection: a transaction on the shared one would show other reads an old state. */
export function openSqliteSnapshots(open: () => DatabaseSync): Snapshots {
  let connection: DatabaseSync | undefined
  let isClosed = false
  const connect = (): DatabaseSync => {
    const opened = open()
    opened.exec(`PRAGMA cache_size = -${CACHE_KIB}`)
    return opened
  }
  return {
    async run(work) {
      try {
        if (isClosed) throw unavailable('The store is closed.')
        const db = (connection ??= connect())
        return await inOneAsyncSnapshot(db, () =>
          work({ rollups: sqliteRollups(() => db), readings: storedReadings(db) }),
        )
      } catch (error) {
        throw toStoreError(error)
      }
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      if (connection?.isOpen) connection.close()
    },
  }
}
