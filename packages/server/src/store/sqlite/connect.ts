import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { at } from '../../kernel/at.ts'
import { createPrivateFolder } from '../../kernel/private-folder.ts'

/** Checkpoints truncate the log to this size, so that one burst does not occupy disk space permanently. */
const WAL_SIZE_LIMIT_BYTES = 64 * 1024 * 1024
const BUSY_TIMEOUT_MS = 5_000
/**
 * Creating the file and switching it to WAL needs an exclusive lock: a start waits for other processes that use the
 * file.
 */
const OPEN_TIMEOUT_MS = 60_000
/** Time for one attempt to acquire the write lock: short, so that a waiting process can report that it waits. */
const LOCK_ATTEMPT_MS = 1_000

/** `synchronous=FULL`: with NORMAL, a power cut loses every write acknowledged since the last checkpoint. */
export function openWriter(file: string): DatabaseSync {
  createPrivateFile(file)
  const db = new DatabaseSync(file, { timeout: OPEN_TIMEOUT_MS })
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA journal_size_limit = ${WAL_SIZE_LIMIT_BYTES};
    PRAGMA busy_timeout = ${LOCK_ATTEMPT_MS};
  `)
  return db
}

/** The file holds signing keys: it is created readable by its owner only, in a folder of the same kind. */
export function createPrivateFile(file: string): void {
  createPrivateFolder(dirname(file))
  closeSync(openSync(file, 'a', 0o600))
}

/** SQLite's default of 2 MB does not hold the index of one year. */
const READER_CACHE_KIB = 16_000

/** Readers have separate connections and never wait for a disk sync. */
export function openReader(file: string, cacheKib = READER_CACHE_KIB): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
  db.exec(`PRAGMA cache_size = -${cacheKib}`)
  return db
}

const dataVersions = new Map<DatabaseSync, number>()

/**
 * `PRAGMA data_version`, read at most once per event-loop tick. It changes when another connection commits.
 */
export function getDataVersion(db: DatabaseSync): number {
  let version = dataVersions.get(db)
  if (version === undefined) {
    version = at(prepareArraysOnce<[version: number]>(db, 'PRAGMA data_version').all(), 0)[0]
    if (dataVersions.size === 0) setImmediate(resetDataVersions)
    dataVersions.set(db, version)
  }
  return version
}

/** For callers that learn of a commit within a tick. */
export const resetDataVersions = (): void => dataVersions.clear()

/** Invalidates the cached version: another connection may have committed while this one waited for the write lock. */
export const forgetDataVersion = (db: DatabaseSync): void => void dataVersions.delete(db)

/** Caches results of a read-only connection until another connection commits. */
export function cachedPerDataVersion<Key, Value>(
  ask: (db: DatabaseSync, key: Key) => Value,
): (db: DatabaseSync, key: Key) => Value {
  const caches = new WeakMap<DatabaseSync, { dataVersion: number; values: Map<Key, Value> }>()
  return (db, key) => {
    const dataVersion = getDataVersion(db)
    let known = caches.get(db)
    if (known?.dataVersion !== dataVersion) caches.set(db, (known = { dataVersion, values: new Map() }))
    const value = known.values.get(key)
    if (value !== undefined) return value
    const computed = ask(db, key)
    known.values.set(key, computed)
    return computed
  }
}

type Statements<S> = WeakMap<DatabaseSync, Map<string, S>>

/** The statement for this SQL, prepared once per connection. */
function once<S>(known: Statements<S>, db: DatabaseSync, sql: string, prepare: () => S): S {
  let own = known.get(db)
  if (!own) known.set(db, (own = new Map()))
  let statement = own.get(sql)
  if (!statement) own.set(sql, (statement = prepare()))
  return statement
}

const statements: Statements<StatementSync> = new WeakMap()

export const prepareOnce = (db: DatabaseSync, sql: string): StatementSync =>
  once(statements, db, sql, () => db.prepare(sql))

/** A statement that returns rows as arrays, which is faster on hot paths. */
interface ListStatement<Row> {
  all(...values: SQLInputValue[]): Row[]
}

const listStatements: Statements<StatementSync> = new WeakMap()

/** The columns have the types of the schema, whose tables are STRICT. */
export const prepareArraysOnce = <Row extends readonly SQLOutputValue[]>(
  db: DatabaseSync,
  sql: string,
): ListStatement<Row> =>
  once(listStatements, db, sql, () => {
    const statement = db.prepare(sql)
    statement.setReturnArrays(true)
    return statement
  }) as unknown as ListStatement<Row>
