/** The only source of the current time. Tests pass their own. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** Monotonic milliseconds from an arbitrary origin, for measuring durations. */
export const stopwatch = (): number => performance.now()

export const isoInstant = (ms: number): string => new Date(ms).toISOString()

export const toSeconds = (ms: number): number => Math.floor(ms / 1000)
