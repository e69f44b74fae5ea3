import { connectOnce } from './connect.ts'
import { toAppFailure } from './failure.ts'

export interface Lock {
  release(): Promise<void>
}

/** 'Port' in ASCII. */
const LOCK = 0x506f7274

/**
 * Held by a transaction that stays open, which also a pooler of transactions leaves its connection. It keeps an operator from a
 * set-up that cannot work; no data depend on it. Undefined when another instance stands in the way.
 */
export async function lockForInstance(
  url: string,
  { isAlone }: { isAlone: boolean },
): Promise<Lock | undefined> {
  const connection = connectOnce(url)
  const taken = Promise.withResolvers<boolean>()
  const released = Promise.withResolvers<void>()
  const held = connection
    .begin(async (sql) => {
      await sql`SET LOCAL idle_in_transaction_session_timeout TO 0`
      const [row] = isAlone
        ? await sql<{ isTaken: boolean }[]>`SELECT pg_try_advisory_xact_lock(${LOCK}) AS "isTaken"`
        : await sql<{ isTaken: boolean }[]>`SELECT pg_try_advisory_xact_lock_shared(${LOCK}) AS "isTaken"`
      taken.resolve(row?.isTaken === true)
      await released.promise
    })
    // A connection that is lost takes the lock with it: the server goes on without.
    .catch((error: unknown) => taken.reject(toAppFailure(error)))
  const release = async (): Promise<void> => {
    released.resolve()
    await held
    await connection.end({ timeout: 1 })
  }
  if (await taken.promise) return { release }
  await release()
  return undefined
}
