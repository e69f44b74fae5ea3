import { randomUUID } from 'node:crypto'
import { on } from '../../support/servers/citus.ts'
import { databasesOn } from '../../support/servers/database-admin.ts'
import { startPostgres } from '../../support/servers/postgres.ts'

/** PostgreSQL or Citus for one test file: the run's, or one that the file starts. */
export interface Databases {
  /** URL of a new, empty database. */
  make(): Promise<string>
  run(url: string, sql: string): Promise<void>
  stop(): Promise<void>
}

export async function startDatabases(): Promise<Databases> {
  const citus = process.env['TEST_CITUS_URL']
  const given = citus ?? process.env['TEST_DATABASE_URL']
  const cluster = given === undefined ? await startPostgres() : undefined
  const databases = databasesOn(given ?? cluster?.url ?? '', citus !== undefined)
  const made: string[] = []
  return {
    async make() {
      const name = `portico_copy_${randomUUID().replaceAll('-', '')}`
      await databases.make(name)
      made.push(name)
      return Object.assign(new URL(databases.toUrl(name)), { password: 'never-shown' }).href
    },
    run: (url, text) => on(url, async (sql) => void (await sql.unsafe(text))),
    async stop() {
      for (const name of made) await databases.drop(name)
      await cluster?.stop()
    },
  }
}
