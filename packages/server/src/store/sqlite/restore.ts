import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pendingMigrations } from './migrate.ts'
import { integer, text } from './row.ts'

const APPLICATION_ID = 0x506f7274

/** The reason why a file cannot be restored, or undefined. */
export function whyNotABackup(file: string): string | undefined {
  if (!existsSync(file)) return `${file} does not exist`
  try {
    const db = new DatabaseSync(file, { readOnly: true })
    try {
      const id = db.prepare('PRAGMA application_id').get()
      if (!id || integer(id, 'application_id') !== APPLICATION_ID) return `${file} is not a Portico backup`
      const check = db.prepare('PRAGMA integrity_check(1)').get()
      if (!check || text(check, 'integrity_check') !== 'ok') return `${file} is damaged`
      pendingMigrations(db)
      return undefined
    } finally {
      db.close()
    }
  } catch (error) {
    return `${file} cannot be read as a backup: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Replaces `file` with a backup by an atomic rename. Returns the name of the file to which existing data was moved. */
export function restoreFile(backup: string, file: string): string | undefined {
  const incoming = `${file}.restoring`
  copyFileSync(backup, incoming)
  chmodSync(incoming, 0o600)
  const handle = openSync(incoming, 'r+')
  fsyncSync(handle)
  closeSync(handle)
  const replacedFile = existsSync(file) ? freeName(`${file}.before-restore`) : undefined
  if (replacedFile !== undefined) {
    foldLogInto(file)
    linkSync(file, replacedFile)
  }
  // The old write-ahead log belongs to the old file: SQLite would replay it into the new one.
  rmSync(`${file}-wal`, { force: true })
  rmSync(`${file}-shm`, { force: true })
  renameSync(incoming, file)
  return replacedFile
}

/** The name, or the name with the first free number, so that no earlier file is overwritten. */
function freeName(name: string): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}-${number}`
    if (!existsSync(candidate)) return candidate
  }
}

/** Checkpoints the write-ahead log into the file, so that the log can be deleted. */
function foldLogInto(file: string): void {
  const db = new DatabaseSync(file)
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}
