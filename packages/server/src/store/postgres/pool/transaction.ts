import { endsConnection } from './failure.ts'
import type { DisposablePool, Sql } from './disposable-pool.ts'

/**
 * Runs a transaction on an exclusive connection. The database rolls back a transaction whose client is lost; its
 * timeouts also cover a lost client that the network hides, whose locks would otherwise be held for hours.
 */
export async function inTransaction<T>(
  line: DisposablePool,
  withinMs: number,
  run: (sql: Sql) => Promise<T>,
): Promise<T> {
  await line.sql.unsafe(`BEGIN; SET LOCAL idle_in_transaction_session_timeout = ${withinMs}`)
  try {
    const result = await run(line.sql)
    const { command } = await line.sql`COMMIT`
    // After a failed statement whose error was caught, PostgreSQL answers COMMIT with ROLLBACK.
    if (command !== 'COMMIT') throw new Error('The transaction had failed before its end.')
    return result
  } catch (error) {
    if (endsConnection(error)) line.discard()
    if (!line.isDiscarded()) await line.sql`ROLLBACK`.catch(() => line.end(0))
    throw error
  }
}
