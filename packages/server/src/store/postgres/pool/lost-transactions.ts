import { retryUntilSuccess } from '../../../kernel/retry.ts'
import type { Sql } from './disposable-pool.ts'

/** Transactions whose connection was lost before their end. */
export interface LostTransactions {
  /** `begunAt`: a time of `performance.now()` at which the transaction had begun. */
  add(pid: number, begunAt: number): void
  /** Stops ending them. */
  stop(): void
}

/**
 * Ends the sessions of lost transactions. PostgreSQL rolls back a transaction as soon as it notices that the client is
 * gone, but the network can hide that. In the middle of a statement that is sent in several messages, none of its
 * timeouts applies then, and the locks would be held until TCP gives up, two hours later by default.
 */
export function createLostTransactions(
  run: (ask: (sql: Sql) => Promise<unknown>) => Promise<unknown>,
): LostTransactions {
  const stopping = new AbortController()
  return {
    add(pid, begunAt) {
      const end = (): Promise<unknown> => run((sql) => endSession(sql, pid, performance.now() - begunAt))
      void retryUntilSuccess(end, { signal: stopping.signal, onFailure() {} }).catch(() => {})
    },
    stop: () => stopping.abort(),
  }
}

/** The age distinguishes the transaction from one of a later session with the same process id. */
const endSession = (sql: Sql, pid: number, ageMs: number): Promise<unknown> => sql`
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE pid = ${pid} AND datname = current_database() AND application_name = 'portico'
    AND xact_start < now() - ${ageMs}::float8 * interval '1 millisecond'`
