import type { MaybePromise } from '../../../kernel/maybe-promise.ts'

/** At most `limit` units in a sliding window of `ms`. */
export interface LimitWindow {
  limit: number
  ms: number
}

/** What is limited; each kind has its own counters. */
export type LimitKind = 'requests' | 'refunds' | 'tokens' | 'wrong-secrets' | 'commands' | 'webhook-tests'

export interface LimitRequest {
  kind: LimitKind
  /** The subject of the limit, such as a partner and site, a client or a device. */
  key: string
  windows: readonly LimitWindow[]
  /**
   * Units consumed from every window; 1 by default. Above the smallest limit, the request could never be allowed. With
   * 0, the limits are only read.
   */
  cost?: number
}

/** `remaining` is in units, after the request if it was allowed. */
export type LimitVerdict =
  | { allowed: true; remaining: number }
  | { allowed: false; remaining: number; retryAfterSeconds: number }

/** Synchronous if the counters are in this process. */
export interface Limits {
  /** Consumes the cost from every window, or from none if one lacks room. Returns a verdict for each, in order. */
  consume(use: LimitRequest): MaybePromise<LimitVerdict[]>
  /**
   * Refunds the cost to every window, at most the count of its current bucket. With a limit on refunds, consumes from
   * that limit first, and refunds nothing if it lacks room. Returns whether the cost was refunded.
   */
  refund(use: LimitRequest, refundLimit?: LimitRequest): MaybePromise<boolean>
}

/** Seconds until all windows have room; undefined if they have room now. */
export function getRetryAfterSeconds(verdicts: readonly LimitVerdict[]): number | undefined {
  let longest: number | undefined
  for (const verdict of verdicts)
    if (!verdict.allowed && !(longest !== undefined && longest >= verdict.retryAfterSeconds))
      longest = verdict.retryAfterSeconds
  return longest
}
