import { readdirSync, readFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { at } from '../../kernel/at.ts'
import type { Migration } from '../store.ts'
import { addMigrationFunctions } from './migration-functions.ts'
import { integer } from './row.ts'
import { beginImmediate, type LockWait } from './write-lock.ts'

const FOLDER = new URL('./migrations/', import.meta.url)
const FILE_NAME = /^(\d{4})-([a-z0-9-]+)\.sql$/

/** All migrations of this release, in order. */
export const allMigrations = (): Migration[] =>
  readdirSync(FOLDER)
    .toSorted()
    .map((file) => {
      const [, number, name] = FILE_NAME.exec(file) ?? []
      if (!number || !name) throw new Error(`${file} is not named like a migration: 0001-what-it-does.sql`)
      return { number: Number(number), name, sql: readFileSync(new URL(file, FOLDER), 'utf8') }
    })

const getSchemaVersion = (db: DatabaseSync): number => {
  const row = db.prepare('PRAGMA user_version').get()
  return row ? integer(row, 'user_version') : 0
}

/** The migrations that have not run on this file. Rejects a file of a newer release, which this one could misread. */
export function pendingMigrations(db: DatabaseSync): Migration[] {
  const all = allMigrations()
  const version = getSchemaVersion(db)
  const newest = at(all, all.length - 1).number
  if (version > newest) {
    throw new Error(
      `The store is at schema version ${version}, this Portico knows ${newest}: it was written by a newer release.`,
    )
  }
  return all.filter((migration) => migration.number > version)
}

/**
 * Runs each migration in one transaction with its number: a killed process leaves the file at the previous migration.
 */
export function migrate(db: DatabaseSync, wait?: LockWait): Migration[] {
  const done: Migration[] = []
  addMigrationFunctions(db)
  // If nothing is pending, no lock is acquired, so that a command need not wait for a long import.
  while (pendingMigrations(db).length > 0) {
    beginImmediate(db, wait)
    try {
      // Read again inside the transaction: another process may have migrated while this one waited.
      const [next] = pendingMigrations(db)
      if (!next) {
        db.exec('ROLLBACK')
        break
      }
      db.exec(next.sql)
      db.exec(`PRAGMA user_version = ${next.number}`)
      db.exec('COMMIT')
      done.push(next)
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
  return done
}
