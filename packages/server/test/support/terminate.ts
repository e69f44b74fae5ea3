import postgres from 'postgres'
import type { TestContext } from 'node:test'

/** Ends every connection that stores have to a database, as a crash or a failover would. */
export function terminator(test: TestContext, url: string): () => Promise<number> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  test.after(() => sql.end())
  return async () => {
    const ended = await sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'portico' AND state <> 'idle'`
    return ended.length
  }
}
