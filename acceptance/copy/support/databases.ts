import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { startPostgres } from '../../support/postgres.ts'

/** A PostgreSQL for one test file: that of the run, or one of its own. */
export interface Databases {
  /** The address of a new, empty database. */
  make(): Promise<string>
  run(url: string, sql: string): Promise<void>
  stop(): Promise<void>
}

export async function startDatabases(): Promise<Databases> {
  const given = process.env['TEST_DATABASE_URL']
  const cluster = given === undefined ? await startPostgres() : undefined
  const url = given ?? cluster?.url ?? ''
  const made: string[] = []
  const run = async (where: string, text: string): Promise<void> => {
    const sql = postgres(where, { max: 1, onnotice: () => {} })
    await sql.unsafe(text)
    await sql.end()
  }
  return {
    async make() {
      const name = `portico_copy_${randomUUID().replaceAll('-', '')}`
      await run(url, `CREATE DATABASE ${name}`)
      made.push(name)
      return Object.assign(new URL(url), { pathname: `/${name}`, password: 'never-shown' }).href
    },
    run,
    async stop() {
      for (const name of made) await run(url, `DROP DATABASE ${name} WITH (FORCE)`)
      await cluster?.stop()
    },
  }
}
