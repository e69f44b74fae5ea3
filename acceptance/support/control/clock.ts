import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A server's clock, which a test can move forward while the server runs and across restarts. */
export interface Clock {
  /** Environment for a server that uses this clock. */
  env: Record<string, string>
  /** The server's current time. */
  now(): number
  moveTo(instant: number): void
  moveBy(hours: number): void
}

const HOUR_MS = 3_600_000

export function makeClock(folder: string): Clock {
  const file = join(folder, 'clock')
  let aheadMs = 0
  const put = (milliseconds: number): void => {
    aheadMs = Math.round(milliseconds)
    // Fixed length, overwritten in place: a server reading concurrently never sees a partial number.
    writeFileSync(file, String(aheadMs).padStart(20), { flag: existsSync(file) ? 'r+' : 'w' })
  }
  put(0)
  return {
    env: {
      CLOCK_FILE: file,
      NODE_OPTIONS: `--import=${import.meta.resolve('../preload/clock-file.ts')}`,
    },
    now: () => Date.now() + aheadMs,
    moveTo: (instant) => put(instant - Date.now()),
    moveBy: (hours) => put(aheadMs + hours * HOUR_MS),
  }
}
