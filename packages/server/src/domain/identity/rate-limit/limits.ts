import type { MaybePromise } from '../../../kernel/maybe-promise.ts'

/** So many within so long, over a window that slides. */
export interface LimitWindow {
  limit: number
  ms: number
}

/** What is limited; each is counted apart. */
export type LimitKind = 'requests' | 'refunds' | 'tokens' | 'wrong-secrets' | 'commands'

export interface LimitRequest {
  what: LimitKind
  /** Whose: partner and site, client, device. */
  key: string
  windows: readonly LimitWindow[]
  /** Units that this use consumes from every window. Default 1. Must not exceed the smallest limit, or the use could never be allowed. */
  cost?: number
}

/** `remaining` is in units: after the use if it was allowed, without it otherwise. */
export type LimitDecision =
  | { allowed: true; remaining: number }
  | { allowed: false; remaining: number; retryAfterSeconds: number }

/** Counts uses: without waiting where the counters are in this process. */
export interface Limits {
  /** Consumes the cost from every window, or from none if one of them lacks room. Returns a verdict for each, in their order. */
  consume(use: LimitRequest): MaybePromise<LimitDecision[]>
  /** Refunds the cost to every window, at most what its current bucket holds. */
  refund(use: LimitRequest): MaybePromise<void>
}

/** Seconds until all windows have room; undefined when they have it now. */
export function getRetryAfterSeconds(verdicts: readonly LimitDecision[]): number | undefined {
  let longest: number | undefined
  for (const verdict of verdicts)
    if (!verdict.allowed && !(longest !== undefined && longest >= verdict.retryAfterSeconds))
      longest = verdict.retryAfterSeconds
  return longest
}
