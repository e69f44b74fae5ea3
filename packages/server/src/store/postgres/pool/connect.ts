import { setTimeout as delay } from 'node:timers/promises'
import { unavailable } from '../../../kernel/errors.ts'
import { systemClock } from '../../../kernel/clock.ts'
import { createSemaphore } from '../../../kernel/concurrency.ts'
import { endsConnection, isConnectionLost, isRetryable, toStoreError } from './failure.ts'
import { type DisposablePool, type PoolOptions, openDisposablePool, type Sql } from './disposable-pool.ts'
import { createLostTransactions, type LostTransactions } from './lost-transactions.ts'
import { createPools } from './pools.ts'

export type { Sql } from './disposable-pool.ts'

interface WriteOptions {
  /** Time limit of the whole transaction. */
  withinMs?: number
  /** Retries after a unique violation: a concurrent transaction has created the row, and the retry finds it. */
  retryOnDuplicate?: boolean
}

interface Retries extends WriteOptions {
  /** Retries once after the connection was lost, possibly before the statement was sent. */
  retryOnLostConnection?: boolean
}

export interface Database {
  /** Runs one statement, or several that need no common snapshot; `ask` must have no side effects, like `run` below. */
  read<T>(ask: (sql: Sql) => Promise<T>): Promise<T>
  /** Runs one statement that writes, which is its own transaction. */
  change<T>(run: (sql: Sql) => Promise<T>, options?: WriteOptions): Promise<T>
  /** Runs a transaction. It may be retried, so `run` must have no side effects outside of it. */
  write<T>(run: (sql: Sql) => Promise<T>, options?: WriteOptions): Promise<T>
  close(): Promise<void>
}

export interface ConnectOptions extends PoolOptions {
  /** Time limit of a response. */
  answerMs?: number
  /** Number of connections that single statements share. */
  sharedConnections?: number
}

const TRANSACTIONS = 8
/** Connections for single statements, which are pipelined. */
const SHARED_CONNECTIONS = 4
/** PostgreSQL ends a slow statement itself; this limit is for a database that cannot be reached. */
const ANSWER_MS = 20_000
const WAIT_FOR_TURN_MS = 10_000
const MAX_ATTEMPTS = 8
const REPEAT_MS = 20

/** Connects with the first query. */
export function openDatabase(
  url: string,
  { answerMs = ANSWER_MS, sharedConnections = SHARED_CONNECTIONS, ...lineOptions }: ConnectOptions = {},
): Database {
  const shared = createPools(() => openDisposablePool(url, sharedConnections, lineOptions))
  const single = createPools(() => openDisposablePool(url, 1, lineOptions))
  const limitTransactions = createSemaphore(TRANSACTIONS)

  async function repeated<T>(
    attempt: () => Promise<T>,
    { retryOnDuplicate = false, retryOnLostConnection = false }: Retries,
  ): Promise<T> {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await attempt()
      } catch (error) {
        if (attempts === 1 && retryOnLostConnection && isConnectionLost(error)) continue
        if (attempts === MAX_ATTEMPTS || !isRetryable(error, retryOnDuplicate)) throw toStoreError(error)
        await delay(attempts * REPEAT_MS)
      }
    }
  }

  const statement = <T>(run: (sql: Sql) => Promise<T>, options: Retries = {}): Promise<T> =>
    repeated(() => {
      const pool = shared.shared()
      return withAnswerTimeout(pool, () => run(pool.sql), options.withinMs ?? answerMs)
    }, options)

  const lost = createLostTransactions(statement)

  return {
    read: (ask) => statement(ask, { retryOnLostConnection: true }),
    change: statement,
    async write(run, options = {}) {
      const since = systemClock.now()
      const withinMs = options.withinMs ?? answerMs
      return limitTransactions(() => {
        if (systemClock.now() - since > WAIT_FOR_TURN_MS)
          throw unavailable('Every connection to the database was taken for too long.')
        return repeated(
          () =>
            single.withExclusive((pool) =>
              withAnswerTimeout(pool, () => inTransaction(pool, withinMs, run, lost), withinMs),
            ),
          options,
        )
      })
    },
    async close() {
      lost.stop()
      await Promise.all([shared.close(), single.close()])
    },
  }
}

/** Discards the connections to a database that does not respond; the next query opens new ones. */
async function withAnswerTimeout<T>(
  pool: DisposablePool,
  ask: () => Promise<T>,
  withinMs: number,
): Promise<T> {
  const { promise: silence, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    void pool.end(0)
    reject(unavailable('The database does not answer.'))
  }, withinMs)
  try {
    return await pool.run(() => Promise.race([ask(), silence]))
  } catch (error) {
    if (endsConnection(error)) pool.discard()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Runs a transaction on an exclusive connection. The database rolls back a transaction whose client is lost; its
 * timeouts also cover a lost client that the network hides, whose locks would otherwise be held for hours.
 */
async function inTransaction<T>(
  pool: DisposablePool,
  withinMs: number,
  run: (sql: Sql) => Promise<T>,
  lost: LostTransactions,
): Promise<T> {
  const { state } = await pool.sql.unsafe(
    `BEGIN; SET LOCAL idle_in_transaction_session_timeout = ${withinMs}`,
  )
  const begunAt = performance.now()
  try {
    const result = await run(pool.sql)
    const { command } = await pool.sql`COMMIT`
    // After a failed statement whose error was caught, PostgreSQL answers COMMIT with ROLLBACK.
    if (command !== 'COMMIT') throw new Error('The transaction had failed before its end.')
    return result
  } catch (error) {
    if (endsConnection(error)) pool.discard()
    if (!pool.isDiscarded()) await pool.sql`ROLLBACK`.catch(() => pool.end(0))
    if (pool.isDiscarded()) lost.add(state.pid, begunAt)
    throw error
  }
}

/** PostgreSQL cannot store a zero byte in a text, so a search for such a text finds nothing. */
export const canBeStored = (text: string): boolean => !text.includes('\0')
