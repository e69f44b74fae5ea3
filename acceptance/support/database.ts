import { createHash } from 'node:crypto'
import postgres from 'postgres'

/** Which store the servers of this run keep their data in. */
export const isPostgres = (): boolean => process.env['ACCEPTANCE_BACKEND'] === 'postgres'

/**
 * Tests that are about the file in which SQLite keeps its data, and why: elsewhere there are none. Whatever has nothing to do with
 * files runs on both backends.
 */
export function onlyEmbedded(_reason: string, tests: () => void): void {
  if (!isPostgres()) tests()
}

const made = new Map<string, Promise<unknown>>()

/**
 * The settings that a server or command on a data folder needs besides `--data`. On PostgreSQL each folder has a database of
 * its own, made when it is first asked for and empty then.
 */
export async function databaseFor(dataDir: string): Promise<Record<string, string>> {
  if (!isPostgres()) return {}
  const name = nameOf(dataDir)
  if (!made.has(dataDir)) made.set(dataDir, makeUnlessThere(name))
  await made.get(dataDir)
  return { DATABASE_URL: Object.assign(new URL(server()), { pathname: `/${name}` }).href }
}

/** What a copy of the folder is to SQLite. Nobody may be connected to the original. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  if (!isPostgres()) return
  made.set(
    to,
    run((sql) => sql.unsafe(`CREATE DATABASE ${nameOf(to)} TEMPLATE ${nameOf(from)}`)),
  )
  await made.get(to)
}

export async function dropDatabase(dataDir: string): Promise<void> {
  if (made.delete(dataDir)) await run((sql) => sql.unsafe(`DROP DATABASE ${nameOf(dataDir)} WITH (FORCE)`))
}

/** Of this run, which others on the same server have nothing to do with. */
const prefix = (): string => `portico_acceptance_${process.env['ACCEPTANCE_RUN'] ?? process.pid}_`

/** At the end of a run: the databases of folders that a test removed without a word. */
export async function dropAllDatabases(): Promise<void> {
  if (!isPostgres()) return
  await run(async (sql) => {
    const left = await sql<{ name: string }[]>`
      SELECT datname AS name FROM pg_database WHERE starts_with(datname, ${prefix()})`
    for (const { name } of left) await sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`)
  })
}

/** By the folder's path, so that another process of the run finds the same. */
const nameOf = (dataDir: string): string =>
  prefix() + createHash('sha256').update(dataDir).digest('hex').slice(0, 24)

const makeUnlessThere = (name: string): Promise<unknown> =>
  run(async (sql) => {
    const there = await sql`SELECT 1 FROM pg_database WHERE datname = ${name}`
    if (there.length === 0) await sql.unsafe(`CREATE DATABASE ${name} TEMPLATE template0`)
  })

function server(): string {
  const url = process.env['TEST_DATABASE_URL']
  if (url === undefined) throw new Error('TEST_DATABASE_URL names no PostgreSQL: start acceptance/run.ts')
  return url
}

/** A connection for a moment: one that stays open would keep a test file from ending. */
async function run<T>(ask: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(server(), { max: 1, onnotice: () => {} })
  try {
    return await ask(sql)
  } finally {
    await sql.end()
  }
}
