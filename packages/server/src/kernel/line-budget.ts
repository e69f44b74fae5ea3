import { stopwatch } from './clock.ts'

const SECOND_MS = 1_000

/** Limits how many log lines of one kind are written. */
export interface LineBudget {
  /** Whether one more line may be written in this second. If not, the line is counted as suppressed. */
  take(): boolean
}

/** `onSuppressed` is called at the end of a second in which lines were suppressed, with their number. */
export function createLineBudget(maxPerSecond: number, onSuppressed: (count: number) => void): LineBudget {
  let startedAt = Number.NEGATIVE_INFINITY
  let taken = 0
  let suppressed = 0

  const report = (second: number): void => {
    const count = suppressed
    suppressed = 0
    // A timer may fire a little early by the stopwatch; the second that is reported must have ended.
    if (startedAt === second) startedAt = Number.NEGATIVE_INFINITY
    onSuppressed(count)
  }

  return {
    take() {
      const now = stopwatch()
      if (now - startedAt >= SECOND_MS) {
        startedAt = now
        taken = 0
      }
      if (taken < maxPerSecond) {
        taken += 1
        return true
      }
      suppressed += 1
      if (suppressed === 1) setTimeout(report, startedAt + SECOND_MS - now, startedAt).unref()
      return false
    },
  }
}
