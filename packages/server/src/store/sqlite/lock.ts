import { DatabaseSync } from 'node:sqlite'
import { createPrivateFile } from './connect.ts'
import { isBusy } from './failure.ts'

export interface Lock {
  release(): void
}

/**
 * Ensures one server per file. The lock is an open SQLite transaction on a small file beside the data: the operating
 * system releases it when the process ends in any way. Undefined if another process holds it.
 */
export function lockForServer(file: string): Lock | undefined {
  const lockFile = `${file}.lock`
  createPrivateFile(lockFile)
  const db = new DatabaseSync(lockFile, { timeout: 0 })
  try {
    db.exec('BEGIN EXCLUSIVE')
    return { release: () => db.close() }
  } catch (error) {
    db.close()
    if (isBusy(error)) return undefined
    throw error
  }
}
