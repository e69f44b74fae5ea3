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
  /** Stops the clock, for responses that would change with time. */
  stopAt(instant: number): void
}

const HOUR_MS = 3_600_000

export function makeClock(folder: string): Clock {
  const file = join(folder, 'clock')
  let aheadMs = 0
  let stoppedAt: number | undefined
  // Fixed length, overwritten in place: a server reading concurrently never sees a partial number.
  const write = (text: string): void =>
    writeFileSync(file, text.padStart(20), { flag: existsSync(file) ? 'r+' : 'w' })
  const put = (milliseconds: number): void => {
    aheadMs = Math.round(milliseconds)
    stoppedAt = undefined
    write(String(aheadMs))
  }
  put(0)
  return {
    env: {
      CLOCK_FILE: file,
      NODE_OPTIONS: `--import=${import.meta.resolve('../preload/clock-file.ts')}`,
    },
    now: () => stoppedAt ?? Date.now() + aheadMs,
    moveTo: (instant) => put(instant - Date.now()),
    moveBy: (hours) => put(aheadMs + hours * HOUR_MS),
    stopAt(instant) {
      stoppedAt = instant
      write(`=${instant}`)
    },
  }
}
