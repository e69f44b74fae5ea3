import { endsConnection } from './failure.ts'
import type { DisposablePool, Sql } from './disposable-pool.ts'

/**
 * All or nothing, on a line of its own. What is lost in between is undone by the database itself: also where the network hides from it
 * that nobody is there any more, and its locks would be held for hours.
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
    // After a failed statement that somebody caught, this is what PostgreSQL makes of a commit.
    if (command !== 'COMMIT') throw new Error('The transaction had failed before its end.')
    return result
  } catch (error) {
    if (endsConnection(error)) line.discard()
    if (!line.isDiscarded()) await line.sql`ROLLBACK`.catch(() => line.end(0))
    throw error
  }
}
