import type { DatabaseSync } from 'node:sqlite'
import { systemClock } from '../../kernel/clock.ts'
import { forgetDataVersion } from './connect.ts'
import { isBusy } from './failure.ts'

/** How long to wait for SQLite's write lock while another process holds it. */
export interface LockWait {
  maxMs: number
  /** Called once per wait, after the first attempt has failed. */
  onLocked?(): void
}

/**
 * A starting server or a command has nothing else to do, so it waits for an import or a migration in another process.
 */
export const START_LOCK_WAIT_MS = 60_000
/** After this time, an API request gets 503. */
export const SERVING_LOCK_WAIT_MS = 5_000

/** Begins a write transaction. Each attempt blocks for the connection's busy timeout. */
export function beginImmediate(db: DatabaseSync, { maxMs, onLocked }: LockWait = { maxMs: 0 }): void {
  const giveUpAt = systemClock.now() + maxMs
  for (let attempt = 1; ; attempt += 1) {
    try {
      db.exec('BEGIN IMMEDIATE')
      break
    } catch (error) {
      if (!isBusy(error) || systemClock.now() >= giveUpAt) throw error
      if (attempt === 1) onLocked?.()
    }
  }
  forgetDataVersion(db)
}
