import { setTimeout as delay } from 'node:timers/promises'
import { toStoreError } from '../pool/failure.ts'
import { openDisposablePool } from '../pool/disposable-pool.ts'

export interface Lock {
  release(): Promise<void>
}

/** 'Port' in ASCII. */
const LOCK = 0x506f7274

/**
 * An advisory lock of a transaction that stays open, so that it also works through a transaction pooler; it ends with
 * its connection. It prevents configurations that cannot work; data integrity does not depend on it. Undefined if
 * another instance holds a conflicting lock.
 */
export async function lockForInstance(
  url: string,
  { isExclusive, hasNobodyElse = false }: { isExclusive: boolean; hasNobodyElse?: boolean },
): Promise<Lock | undefined> {
  const { sql, end } = openDisposablePool(url, 1)
  const release = () => end(1)
  try {
    await sql`BEGIN`
    await sql`SET LOCAL idle_in_transaction_session_timeout TO 0`
    const take = isExclusive ? 'pg_try_advisory_xact_lock' : 'pg_try_advisory_xact_lock_shared'
    // unsafe() uses the simple protocol: a statement of the extended protocol keeps its snapshot while the transaction is
    // open, and dead rows that are newer than the snapshot cannot be removed, in any table.
    const [row] = await sql.unsafe<{ isTaken: boolean }[]>(`SELECT ${take}(${LOCK}) AS "isTaken"`)
    const others = hasNobodyElse
      ? await sql.unsafe(`
          SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'portico' AND pid <> pg_backend_pid()`)
      : []
    if (row?.isTaken && others.length === 0) return { release }
  } catch (error) {
    await release()
    throw toStoreError(error)
  }
  await release()
  return undefined
}

const WAIT_MS = 5_000
const LOOK_EVERY_MS = 250

/**
 * Exclusive access to the data. A server that lost its lock together with the connection is detected by its other
 * connections; connections of a killed process take a moment to disappear.
 */
export async function lockForCopy(url: string): Promise<Lock | undefined> {
  for (let waited = 0; ; waited += LOOK_EVERY_MS) {
    const lock = await lockForInstance(url, { isExclusive: true, hasNobodyElse: true })
    if (lock || waited >= WAIT_MS) return lock
    await delay(LOOK_EVERY_MS)
  }
}
