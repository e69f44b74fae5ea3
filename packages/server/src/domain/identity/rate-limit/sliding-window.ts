import type { LimitDecision, LimitWindow } from './limits.ts'

/**
 * What is kept of a sliding window: two fixed buckets. The previous one counts in proportion to how much of it the window
 * still covers. Two numbers, whatever the traffic.
 */
export interface WindowCounters {
  start: number
  current: number
  previous: number
}

/** The buckets as they stand at `now`, made from those that were last written. */
export function advanceTo(now: number, windowMs: number, last: WindowCounters | undefined): WindowCounters {
  const start = now - (now % windowMs)
  if (last?.start === start) return last
  // A clock set back lands in a bucket before the remembered one: start anew rather than count negative shares.
  return { start, current: 0, previous: last?.start === start - windowMs ? last.current : 0 }
}

/** Whether the window has room for a use of this cost. */
export function checkWindow(
  buckets: WindowCounters,
  { limit, ms }: LimitWindow,
  now: number,
  cost = 1,
): LimitDecision {
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
      ? // Within this bucket, once the previous one's share has shrunk enough.
        end - (fromPrevious / previous) * ms
      : // In the next bucket, where today's current count is the shrinking one.
        end + ms - ((limit - cost) / Math.max(current, 1)) * ms
  return Math.max(1, Math.ceil((Math.max(at, now) - now) / 1000))
}
