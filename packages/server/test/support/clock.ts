import type { Clock } from '../../src/kernel/clock.ts'

/** A clock that moves only when the test moves it. */
export interface SetClock extends Clock {
  at: number
}

export const createClock = (at = Date.UTC(2026, 10, 15, 12)): SetClock => ({
  at,
  now() {
    return this.at
  },
})
