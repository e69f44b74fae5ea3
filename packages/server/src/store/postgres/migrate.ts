import { readdirSync, readFileSync } from 'node:fs'
import { at } from '../../kernel/at.ts'
import type { Migration } from '../store.ts'
import type { Database, Sql } from './pool/connect.ts'

const FOLDER = new URL('./migrations/', import.meta.url)
const FILE_NAME = /^(\d{4})-([a-z0-9-]+)\.sql$/
const CITUS_LINE = /^-- citus: /
/** Building an index over years of commands takes its time. */
const WITHIN_MS = 3_600_000

/** Every migration this release knows, in order, as this database runs it. */
export const allMigrations = (isCitus: boolean): Migration[] =>
  readdirSync(FOLDER)
    .toSorted()
    .map((file) => {
      const [, number, name] = FILE_NAME.exec(file) ?? []
      if (!number || !name) throw new Error(`${file} is not named like a migration: 0001-what-it-does.sql`)
      const sql = sqlFor(isCitus, readFileSync(new URL(file, FOLDER), 'utf8'))
      return { number: Number(number), name, sql }
    })

/** Lines for Citus become statements there and are left out elsewhere. */
export const sqlFor = (isCitus: boolean, text: string): string =>
  text
    .split('\n')
    .filter((line) => isCitus || !CITUS_LINE.test(line))
    .map((line) => line.replace(CITUS_LINE, ''))
    .join('\n')

/** Whatever a function's body holds, up to a semicolon at the end of a line. */
const STATEMENT = /(?:\$\$[^]*?\$\$|[^])*?(?:;\s*(?:\n|$)|$)/g

/** Citus takes one statement a call. */
export const splitStatements = (sql: string): string[] =>
  (sql.replace(/^\s*--.*$/gm, '').match(STATEMENT) ?? [])
    .map((statement) => statement.trim().replace(/;$/, ''))
    .filter((statement) => statement !== '')

/** The migrations this database still lacks, without changing anything. */
export const pendingMigrations = (db: Database): Promise<Migration[]> =>
  db.read(async (sql) => {
    const [table] =
      await sql`SELECT 1 FROM pg_tables WHERE tablename = 'schema_migrations' AND schemaname = current_schema()`
    return table ? lacking(sql) : allMigrations(await hasCitus(sql))
  })

/**
 * Each migration and its number are one transaction behind a lock on the list of them: of several instances one does the work
 * while the others wait, and a kill in between leaves the step before.
 */
export async function migrate(db: Database): Promise<Migration[]> {
  // Nothing to do is the usual case, and looking takes no lock.
  if ((await pendingMigrations(db)).length === 0) return []
  // Two who make the same table at once meet in the system's own unique indexes.
  await db.write(
    (sql) =>
      sql`CREATE TABLE IF NOT EXISTS schema_migrations (number integer PRIMARY KEY, name text NOT NULL)`,
    { retryOnDuplicate: true },
  )
  const done: Migration[] = []
  for (;;) {
    const next = await db.write(runNext, { withinMs: WITHIN_MS })
    if (!next) return done
    done.push(next)
  }
}

async function runNext(sql: Sql): Promise<Migration | undefined> {
  await sql`SET LOCAL statement_timeout TO 0`
  await sql`LOCK TABLE schema_migrations IN ACCESS EXCLUSIVE MODE`
  const [next] = await lacking(sql)
  if (!next) return undefined
  // Foreign keys between reference and distributed tables allow Citus no parallel work within one transaction.
  await sql`SET LOCAL citus.multi_shard_modify_mode TO 'sequential'`
  for (const statement of splitStatements(next.sql)) await sql.unsafe(statement)
  await sql`INSERT INTO schema_migrations (number, name) VALUES (${next.number}, ${next.name})`
  return next
}

/** A database from a newer Portico is refused rather than misread. */
async function lacking(sql: Sql): Promise<Migration[]> {
  const [row] = await sql<{ last: number | null }[]>`SELECT max(number) AS last FROM schema_migrations`
  const version = row?.last ?? 0
  const all = allMigrations(await hasCitus(sql))
  const newest = at(all, all.length - 1).number
  if (version > newest) {
    throw new Error(
      `The store is at schema version ${version}, this Portico knows ${newest}: it was written by a newer release.`,
    )
  }
  return all.filter(({ number }) => number > version)
}

async function hasCitus(sql: Sql): Promise<boolean> {
  const found = await sql`SELECT 1 FROM pg_extension WHERE extname = 'citus'`
  return found.length > 0
}
