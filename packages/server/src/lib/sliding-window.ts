import { BoundedMap } from './bounded-map.ts'
import type { Clock } from './clock.ts'

export type Verdict = { allowed: true; remaining: number } | { allowed: false; retryAfterSeconds: number }

interface Buckets {
  start: number
  current: number
  previous: number
}

/**
 * Counts per key over a sliding window, from two fixed buckets: the previous one counts in proportion to how much
 * of it the window still covers. Two numbers a key, whatever the traffic.
 */
export class SlidingWindow {
  readonly #limit: number
  readonly #windowMs: number
  readonly #clock: Clock
  readonly #keys: BoundedMap<string, Buckets>

  constructor(options: { limit: number; windowMs: number; clock: Clock; maxKeys?: number }) {
    this.#limit = options.limit
    this.#windowMs = options.windowMs
    this.#clock = options.clock
    this.#keys = new BoundedMap(options.maxKeys ?? 100_000)
  }

  /** Counts one, unless that would pass the limit. */
  take(key: string, limit = this.#limit): Verdict {
    const verdict = this.look(key, limit)
    if (verdict.allowed) this.#bucketsAt(key, this.#clock.now()).current += 1
    return verdict
  }

  /** What `take` would say, without counting. */
  look(key: string, limit = this.#limit): Verdict {
    const now = this.#clock.now()
    const buckets = this.#bucketsAt(key, now)
    const share = 1 - (now - buckets.start) / this.#windowMs
    const used = buckets.previous * share + buckets.current
    if (used + 1 > limit) return { allowed: false, retryAfterSeconds: this.#wait(buckets, now, limit) }
    return { allowed: true, remaining: Math.floor(limit - used - 1) }
  }

  /** Takes one back that should not have counted. */
  giveBack(key: string): void {
    const buckets = this.#bucketsAt(key, this.#clock.now())
    if (buckets.current > 0) buckets.current -= 1
  }

  #bucketsAt(key: string, now: number): Buckets {
    const start = now - (now % this.#windowMs)
    const found = this.#keys.get(key)
    if (found?.start === start) return found
    // A clock set back lands in a bucket before the remembered one: start anew rather than count negative shares.
    const previous = found?.start === start - this.#windowMs ? found.current : 0
    const buckets = { start, current: 0, previous }
    this.#keys.set(key, buckets)
    return buckets
  }

  /** Seconds until one more would be allowed, rounded up. */
  #wait(buckets: Buckets, now: number, limit: number): number {
    const end = buckets.start + this.#windowMs
    const fromPrevious = limit - 1 - buckets.current
    let at: number
    if (fromPrevious >= 0 && buckets.previous > 0) {
      // Within this bucket, once the previous one's share has shrunk enough.
      at = end - (fromPrevious / buckets.previous) * this.#windowMs
    } else {
      // In the next bucket, where today's current count is the shrinking one.
      at = end + this.#windowMs - ((limit - 1) / Math.max(buckets.current, 1)) * this.#windowMs
    }
    return Math.max(1, Math.ceil((Math.max(at, now) - now) / 1000))
  }
}
