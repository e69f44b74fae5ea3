import { createHash } from 'node:crypto'
import { on } from './citus.ts'
import { type Databases, databasesOn } from './database-admin.ts'

/** The store that the servers of this run use. */
export const isCitus = (): boolean => process.env['ACCEPTANCE_BACKEND'] === 'citus'
export const isPostgres = (): boolean => isCitus() || process.env['ACCEPTANCE_BACKEND'] === 'postgres'

/**
 * Declares tests of the SQLite file, which other backends omit. Tests that do not depend on the file run on every
 * backend.
 */
export function onlyEmbedded(_reason: string, tests: () => void): void {
  if (!isPostgres()) tests()
}

const made = new Map<string, Promise<unknown>>()

/**
 * The settings that a server or command needs for a data folder besides `--data`. On PostgreSQL each folder has its own
 * database, created empty on first use.
 */
export async function databaseFor(dataDir: string): Promise<Record<string, string>> {
  if (!isPostgres()) return {}
  const name = toDatabaseName(dataDir)
  if (!made.has(dataDir)) made.set(dataDir, makeUnlessThere(name))
  await made.get(dataDir)
  return { DATABASE_URL: databases().toUrl(name) }
}

/** Copies the database that belongs to a folder. No connection to the original may be open. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  if (!isPostgres()) return
  made.set(to, databases().copy(toDatabaseName(from), toDatabaseName(to)))
  await made.get(to)
}

export async function dropDatabase(dataDir: string): Promise<void> {
  if (made.delete(dataDir)) await databases().drop(toDatabaseName(dataDir))
}

/** Number of connections of a server and its workers to the database of their folder. */
export const connectionsTo = (dataDir: string): Promise<number> =>
  on(databaseServer(), async (sql) => {
    const open = await sql`
      SELECT 1 FROM pg_stat_activity WHERE application_name = 'portico' AND datname = ${toDatabaseName(dataDir)}`
    return open.length
  })

/**
 * Whether maintenance has closed days of every site in the database of a folder: until then, no days are enqueued to be
 * rolled up. On SQLite, they are enqueued when their readings are stored.
 */
export async function hasClosedDays(dataDir: string): Promise<boolean> {
  if (!isPostgres()) return true
  const open = await on(
    databases().toUrl(toDatabaseName(dataDir)),
    (sql) =>
      sql`SELECT 1 FROM sites LEFT JOIN site_state USING (site_uuid) WHERE coalesce(rollup_watermark, 0) = 0`,
  )
  return open.length === 0
}

/** Prefix of this run's databases: other runs may use the same server. */
const prefix = (): string => `portico_acceptance_${process.env['ACCEPTANCE_RUN'] ?? process.pid}_`

/** At the end of a run: drops the databases of folders that a test removed itself. */
export async function dropAllDatabases(): Promise<void> {
  if (!isPostgres()) return
  for (const name of await namesWith(prefix())) await databases().drop(name)
}

/** Derived from the folder's path, so that other processes of the run find the same database. */
const toDatabaseName = (dataDir: string): string =>
  prefix() + createHash('sha256').update(dataDir).digest('hex').slice(0, 24)

const namesWith = (beginning: string): Promise<string[]> =>
  on(databaseServer(), async (sql) => {
    const found = await sql<{ name: string }[]>`
      SELECT datname AS name FROM pg_database WHERE starts_with(datname, ${beginning})`
    return found.map(({ name }) => name)
  })

async function makeUnlessThere(name: string): Promise<void> {
  if ((await namesWith(name)).length === 0) await databases().make(name)
}

/** The run's PostgreSQL, or the coordinator of its Citus. */
export function databaseServer(): string {
  const variable = isCitus() ? 'TEST_CITUS_URL' : 'TEST_DATABASE_URL'
  const url = process.env[variable]
  if (url === undefined) throw new Error(`${variable} names no database: start acceptance/run.ts`)
  return url
}

const databases = (): Databases => databasesOn(databaseServer(), isCitus())
