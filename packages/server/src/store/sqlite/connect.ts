import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'

/** Checkpoints truncate the log back to this size, so that one burst does not keep its disk space for ever. */
const WAL_SIZE_LIMIT_BYTES = 64 * 1024 * 1024
const BUSY_TIMEOUT_MS = 5_000

/** `synchronous=FULL`: with NORMAL, a power cut loses every write acknowledged since the last checkpoint. */
export function openWriter(file: string): DatabaseSync {
  createPrivateFile(file)
  const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA journal_size_limit = ${WAL_SIZE_LIMIT_BYTES};
  `)
  return db
}

/** The file holds signing keys: it is created readable by its owner only, in a folder of the same kind. */
export function createPrivateFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
}

/** Readers have connections of their own and never wait for a disk sync. */
export const openReader = (file: string): DatabaseSync =>
  new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS })

const statements = new WeakMap<DatabaseSync, Map<string, StatementSync>>()

/** The statement for this SQL, prepared once per connection. */
export function prepared(db: DatabaseSync, sql: string): StatementSync {
  let known = statements.get(db)
  if (!known) statements.set(db, (known = new Map()))
  let statement = known.get(sql)
  if (!statement) known.set(sql, (statement = db.prepare(sql)))
  return statement
}
