import type { WindowCounters } from './sliding-window.ts'
import type { LimitRequest, LimitWindow } from './limits.ts'

/** The buckets of a request's windows before the request was counted. */
export interface CounterState {
  /** The instant at which the limit was checked. */
  now: number
  windows: { window: LimitWindow; buckets: WindowCounters }[]
}

/**
 * Counters that several instances share, in an external service. Each call is atomic. A call fails instead of delaying
 * a request.
 */
export interface SharedCounters {
  /** Consumes the cost from every window, or from none if one of them lacks room. */
  consume(use: LimitRequest): Promise<CounterState>
  /** Refunds the cost to every window, at most the count of its current bucket. */
  refund(use: LimitRequest): Promise<void>
  close(): Promise<void>
}
