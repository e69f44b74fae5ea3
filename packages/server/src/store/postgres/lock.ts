import { toAppFailure } from './failure.ts'
import { openLine } from './line.ts'

export interface Lock {
  release(): Promise<void>
}

/** 'Port' in ASCII. */
const LOCK = 0x506f7274

/**
 * Held by a transaction that stays open, which also a pooler of transactions leaves its connection; a connection that is lost takes
 * it along. It keeps an operator from a set-up that cannot work; no data depend on it. Undefined when another instance stands in
 * the way.
 */
export async function lockForInstance(
  url: string,
  { isAlone }: { isAlone: boolean },
): Promise<Lock | undefined> {
  const { sql, end } = openLine(url, 1)
  const release = () => end(1)
  try {
    await sql`BEGIN`
    await sql`SET LOCAL idle_in_transaction_session_timeout TO 0`
    const [row] = isAlone
      ? await sql<{ isTaken: boolean }[]>`SELECT pg_try_advisory_xact_lock(${LOCK}) AS "isTaken"`
      : await sql<{ isTaken: boolean }[]>`SELECT pg_try_advisory_xact_lock_shared(${LOCK}) AS "isTaken"`
    if (row?.isTaken) return { release }
  } catch (error) {
    await release()
    throw toAppFailure(error)
  }
  await release()
  return undefined
}
