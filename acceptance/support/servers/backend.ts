import { createHash } from 'node:crypto'
import { on } from './citus.ts'
import { type Databases, databasesOn } from './database-admin.ts'

/** Which store the servers of this run keep their data in. */
export const isCitus = (): boolean => process.env['ACCEPTANCE_BACKEND'] === 'citus'
export const isPostgres = (): boolean => isCitus() || process.env['ACCEPTANCE_BACKEND'] === 'postgres'

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
  const name = toDatabaseName(dataDir)
  if (!made.has(dataDir)) made.set(dataDir, makeUnlessThere(name))
  await made.get(dataDir)
  return { DATABASE_URL: databases().toUrl(name) }
}

/** What a copy of the folder is to SQLite. Nobody may be connected to the original. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  if (!isPostgres()) return
  made.set(to, databases().copy(toDatabaseName(from), toDatabaseName(to)))
  await made.get(to)
}

export async function dropDatabase(dataDir: string): Promise<void> {
  if (made.delete(dataDir)) await databases().drop(toDatabaseName(dataDir))
}

/** How many a server and its processes have open to the database of their folder. */
export const connectionsTo = (dataDir: string): Promise<number> =>
  on(server(), async (sql) => {
    const open = await sql`
      SELECT 1 FROM pg_stat_activity WHERE application_name = 'portico' AND datname = ${toDatabaseName(dataDir)}`
    return open.length
  })

/** Of this run, which others on the same server have nothing to do with. */
const prefix = (): string => `portico_acceptance_${process.env['ACCEPTANCE_RUN'] ?? process.pid}_`

/** At the end of a run: the databases of folders that a test removed without a word. */
export async function dropAllDatabases(): Promise<void> {
  if (!isPostgres()) return
  for (const name of await namesWith(prefix())) await databases().drop(name)
}

/** By the folder's path, so that another process of the run finds the same. */
const toDatabaseName = (dataDir: string): string =>
  prefix() + createHash('sha256').update(dataDir).digest('hex').slice(0, 24)

const namesWith = (beginning: string): Promise<string[]> =>
  on(server(), async (sql) => {
    const found = await sql<{ name: string }[]>`
      SELECT datname AS name FROM pg_database WHERE starts_with(datname, ${beginning})`
    return found.map(({ name }) => name)
  })

async function makeUnlessThere(name: string): Promise<void> {
  if ((await namesWith(name)).length === 0) await databases().make(name)
}

/** The PostgreSQL of the run, or the coordinator of its Citus. */
function server(): string {
  const variable = isCitus() ? 'TEST_CITUS_URL' : 'TEST_DATABASE_URL'
  const url = process.env[variable]
  if (url === undefined) throw new Error(`${variable} names no database: start acceptance/run.ts`)
  return url
}

const databases = (): Databases => databasesOn(server(), isCitus())
