import type { LimitVerdict, LimitWindow } from './limits.ts'

/**
 * A sliding window, approximated by two fixed buckets. The previous bucket counts in proportion to the part of it that
 * the window still covers. Memory use does not depend on the traffic.
 */
export interface WindowCounters {
  start: number
  current: number
  previous: number
}

/** The buckets at `now`, given those that were last written. */
export function advanceTo(now: number, windowMs: number, last: WindowCounters | undefined): WindowCounters {
  const start = now - (now % windowMs)
  if (last?.start === start) return last
  // If the clock was set back, `now` is before the last bucket: start again instead of counting negative shares.
  return { start, current: 0, previous: last?.start === start - windowMs ? last.current : 0 }
}

/** Whether the window has room for this cost. */
export function checkWindow(
  buckets: WindowCounters,
  { limit, ms }: LimitWindow,
  now: number,
  cost = 1,
): LimitVerdict {
  const share = 1 - (now - buckets.start) / ms
  const used = buckets.previous * share + buckets.current
  if (used + cost > limit) {
    const remaining = Math.max(0, Math.floor(limit - used))
    return {
      allowed: false,
      remaining,
      retryAfterSeconds: secondsToRoom(buckets, { limit, ms }, now, cost),
    }
  }
  return { allowed: true, remaining: Math.floor(limit - used - cost) }
}

function secondsToRoom(
  { start, current, previous }: WindowCounters,
  { limit, ms }: LimitWindow,
  now: number,
  cost: number,
): number {
  const end = start + ms
  const fromPrevious = limit - cost - current
  const at =
    fromPrevious >= 0 && previous > 0
      ? // In the current bucket, once the share of the previous one has shrunk enough.
        end - (fromPrevious / previous) * ms
      : // In the next bucket, in which the share of the current one shrinks.
        end + ms - ((limit - cost) / Math.max(current, 1)) * ms
  return Math.max(1, Math.ceil((Math.max(at, now) - now) / 1000))
}
