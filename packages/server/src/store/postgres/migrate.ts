import { readdirSync, readFileSync } from 'node:fs'
import { at } from '../../kernel/at.ts'
import type { Migration } from '../store.ts'
import type { Database, Sql } from './pool/connect.ts'
import { reopenAll } from './rollups/reopen-all.ts'

const FOLDER = new URL('./migrations/', import.meta.url)
const FILE_NAME = /^(\d{4})-([a-z0-9-]+)\.sql$/
const CITUS_LINE = /^-- citus: /
/** Long enough to build an index over years of commands. */
const WITHIN_MS = 3_600_000

/** All migrations of this release, in order, as they run on PostgreSQL or on Citus. */
export const allMigrations = (isCitus: boolean): Migration[] =>
  readdirSync(FOLDER)
    .toSorted()
    .map((file) => {
      const [, number, name] = FILE_NAME.exec(file) ?? []
      if (!number || !name) throw new Error(`${file} is not named like a migration: 0001-what-it-does.sql`)
      const sql = sqlFor(isCitus, readFileSync(new URL(file, FOLDER), 'utf8'))
      return { number: Number(number), name, sql }
    })

/** Lines marked for Citus become statements on Citus and are removed elsewhere. */
export const sqlFor = (isCitus: boolean, text: string): string =>
  text
    .split('\n')
    .filter((line) => isCitus || !CITUS_LINE.test(line))
    .map((line) => line.replace(CITUS_LINE, ''))
    .join('\n')

/** A statement ends with a semicolon at the end of a line, outside the body of a function. */
const STATEMENT = /(?:\$\$[^]*?\$\$|[^])*?(?:;\s*(?:\n|$)|$)/g

/** Citus accepts one statement per call. */
export const splitStatements = (sql: string): string[] =>
  (sql.replace(/^\s*--.*$/gm, '').match(STATEMENT) ?? [])
    .map((statement) => statement.trim().replace(/;$/, ''))
    .filter((statement) => statement !== '')

/** The migrations that have not run on this database; changes nothing. */
export const pendingMigrations = (db: Database): Promise<Migration[]> =>
  db.read(async (sql) => {
    const [table] =
      await sql`SELECT 1 FROM pg_tables WHERE tablename = 'schema_migrations' AND schemaname = current_schema()`
    return table ? lacking(sql) : allMigrations(await hasCitus(sql))
  })

/**
 * Runs each migration in one transaction with the insert of its number, under a lock on `schema_migrations`: of several
 * instances one migrates while the others wait, and a killed process leaves the database at the previous migration.
 */
export async function migrate(db: Database): Promise<Migration[]> {
  // Usually nothing is pending, and this check takes no lock.
  if ((await pendingMigrations(db)).length === 0) return []
  // Concurrent creation of one table fails in a unique index of the system catalog, despite IF NOT EXISTS.
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

/** Parts of migrations that SQL cannot express, in the same transaction. */
const AFTERWARDS: Partial<Record<number, (sql: Sql) => Promise<void>>> = { 11: reopenAll }

async function runNext(sql: Sql): Promise<Migration | undefined> {
  await sql`SET LOCAL statement_timeout TO 0`
  await sql`LOCK TABLE schema_migrations IN ACCESS EXCLUSIVE MODE`
  const [next] = await lacking(sql)
  if (!next) return undefined
  // Because of foreign keys between reference and distributed tables, Citus cannot work in parallel within the
  // transaction.
  await sql`SET LOCAL citus.multi_shard_modify_mode TO 'sequential'`
  for (const statement of splitStatements(next.sql)) await sql.unsafe(statement)
  await AFTERWARDS[next.number]?.(sql)
  await sql`INSERT INTO schema_migrations (number, name) VALUES (${next.number}, ${next.name})`
  return next
}

/** Rejects a database of a newer release, which this one could misread. */
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
