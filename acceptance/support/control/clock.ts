import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The clock of a server, which a test may put ahead, while it runs and over restarts. */
export interface Clock {
  /** What a server has to be started with to go by this clock. */
  env: Record<string, string>
  /** What the server's clock shows. */
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
    // Always as long, and written over the old one: a server that reads at this very moment sees no half number.
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
