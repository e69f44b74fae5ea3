import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { killAtExit } from '../../support/servers/kill-at-exit.ts'

/**
 * Acquires SQLite's write lock, reports that, and holds it until its input ends. With `PULSE_MS`, it releases the lock briefly at that
 * interval.
 */
const PROGRAM = `
  const { DatabaseSync } = require('node:sqlite')
  const { setTimeout: delay } = require('node:timers/promises')
  const [file, pulseMs] = process.argv.slice(1)
  const db = new DatabaseSync(file, { timeout: 30_000 })
  db.exec('PRAGMA journal_mode = WAL')
  const isStore = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'installation'").get() !== undefined
  const take = () => {
    db.exec('BEGIN IMMEDIATE')
    // Commits a change, so that a transaction that began as a reader before it cannot become a writer after it.
    if (isStore) db.exec('UPDATE installation SET created_at = created_at + 1')
  }
  const release = () => {
    db.exec('COMMIT')
    db.close()
    process.exit(0)
  }
  process.stdin.on('end', release).resume()
  take()
  process.stdout.write('locked')
  const pulse = async () => {
    for (;;) {
      await delay(Number(pulseMs))
      db.exec('COMMIT')
      await delay(2)
      take()
    }
  }
  if (pulseMs !== '0') pulse()
`

export interface LockHolder extends AsyncDisposable {
  /** Resolves when the lock is free. */
  release(): Promise<void>
}

/** Another process that holds the write lock of the store in this folder, until it is released. */
export async function holdWriteLock(dataDir: string, { pulseMs = 0 } = {}): Promise<LockHolder> {
  const file = join(dataDir, 'portico.db')
  const child: ChildProcess = killAtExit(
    spawn(process.execPath, ['-e', PROGRAM, file, String(pulseMs)], { stdio: ['pipe', 'pipe', 'inherit'] }),
  )
  const ended = once(child, 'close')
  if (child.stdout) await once(child.stdout, 'data')
  const release = async (): Promise<void> => {
    child.stdin?.end()
    await ended
  }
  return { release, [Symbol.asyncDispose]: release }
}
