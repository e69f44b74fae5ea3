import type { DatabaseSync } from 'node:sqlite'
import { systemClock } from '../../lib/clock.ts'
import { forgetFileVersion } from './connect.ts'
import { isBusy } from './failure.ts'

/** How long to wait for SQLite's write lock while another process holds it, and whom to tell. */
export interface LockWait {
  maxMs: number
  /** Called once per wait, after the first attempt failed. */
  onLocked?(): void
}

/** A start or a command has nothing else to do: it waits for an import or a migration beside it. */
export const START_LOCK_WAIT_MS = 60_000
/** A caller of the API waits for this long and is then answered 503. */
export const SERVING_LOCK_WAIT_MS = 5_000

/** Begins a write transaction. Each attempt blocks for the connection's busy timeout. */
export function beginWriting(db: DatabaseSync, { maxMs, onLocked }: LockWait = { maxMs: 0 }): void {
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
  forgetFileVersion(db)
}
