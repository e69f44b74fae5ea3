import { DatabaseSync } from 'node:sqlite'
import { createPrivateFile } from './connect.ts'
import { isBusy } from './failure.ts'

export interface Lock {
  release(): void
}

/**
 * One server per file. The lock is SQLite's own on a small file beside the data, held by an open transaction: the
 * operating system lets go of it when the process ends, however it ends. Undefined when another process has it.
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
