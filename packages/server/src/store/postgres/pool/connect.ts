import { setTimeout as delay } from 'node:timers/promises'
import { unavailable } from '../../../kernel/errors.ts'
import { systemClock } from '../../../kernel/clock.ts'
import { createSemaphore } from '../../../kernel/concurrency.ts'
import { endsConnection, isRetryable, toStoreError } from './failure.ts'
import { type DisposablePool, type PoolOptions, openDisposablePool, type Sql } from './disposable-pool.ts'
import { createPools } from './pools.ts'
import { inTransaction } from './transaction.ts'

export type { Sql } from './disposable-pool.ts'

export interface WriteOptions {
  /** How long the whole transaction may take. */
  withinMs?: number
  /** Two may have made the same thing at once: who came second finds it there when repeating. */
  retryOnDuplicate?: boolean
}

export interface Database {
  /** One statement, or several that need not see the same moment. */
  read<T>(ask: (sql: Sql) => Promise<T>): Promise<T>
  /** One statement that changes something: a transaction of its own. */
  change<T>(run: (sql: Sql) => Promise<T>, options?: WriteOptions): Promise<T>
  /** One transaction. It may have to be repeated, so nothing but the transaction may remember an attempt. */
  write<T>(run: (sql: Sql) => Promise<T>, options?: WriteOptions): Promise<T>
  close(): Promise<void>
}

export interface ConnectOptions extends PoolOptions {
  /** How long an answer is waited for. */
  answerMs?: number
  /** How many connections everything that is one statement shares. */
  sharedConnections?: number
}

const TRANSACTIONS = 8
/** Shared by everything that is one statement, sent without waiting for one another's answers. */
const SHARED_CONNECTIONS = 4
/** The database ends a statement itself; this is for one that cannot be reached any more. */
const ANSWER_MS = 20_000
const WAIT_FOR_TURN_MS = 10_000
const MAX_ATTEMPTS = 8
const REPEAT_MS = 20

/** Nothing is connected before the first query. */
export function openDatabase(
  url: string,
  { answerMs = ANSWER_MS, sharedConnections = SHARED_CONNECTIONS, ...lineOptions }: ConnectOptions = {},
): Database {
  const shared = createPools(() => openDisposablePool(url, sharedConnections, lineOptions))
  const single = createPools(() => openDisposablePool(url, 1, lineOptions))
  const turns = createSemaphore(TRANSACTIONS)

  async function repeated<T>(
    attempt: () => Promise<T>,
    { retryOnDuplicate = false }: WriteOptions,
  ): Promise<T> {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await attempt()
      } catch (error) {
        if (attempts === MAX_ATTEMPTS || !isRetryable(error, retryOnDuplicate)) throw toStoreError(error)
        await delay(attempts * REPEAT_MS)
      }
    }
  }

  const statement = <T>(run: (sql: Sql) => Promise<T>, options: WriteOptions = {}): Promise<T> =>
    repeated(() => {
      const line = shared.shared()
      return withAnswerTimeout(line, () => run(line.sql), options.withinMs ?? answerMs)
    }, options)

  return {
    read: (ask) => statement(ask),
    change: statement,
    async write(run, options = {}) {
      const since = systemClock.now()
      const withinMs = options.withinMs ?? answerMs
      return turns(() => {
        if (systemClock.now() - since > WAIT_FOR_TURN_MS)
          throw unavailable('Every connection to the database was taken for too long.')
        return repeated(
          () =>
            single.withExclusive((line) =>
              withAnswerTimeout(line, () => inTransaction(line, withinMs, run), withinMs),
            ),
          options,
        )
      })
    },
    async close() {
      await Promise.all([shared.close(), single.close()])
    },
  }
}

/** Connections to a database that fell silent are given up; the next query makes new ones. */
async function withAnswerTimeout<T>(
  line: DisposablePool,
  ask: () => Promise<T>,
  withinMs: number,
): Promise<T> {
  const { promise: silence, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    void line.end(0)
    reject(unavailable('The database does not answer.'))
  }, withinMs)
  try {
    return await Promise.race([ask(), silence])
  } catch (error) {
    if (endsConnection(error)) line.discard()
    throw error
  } finally {
    clearTimeout(timer)
  }
}
