import type { WindowCounters } from './sliding-window.ts'
import type { LimitRequest, LimitWindow } from './limits.ts'

/** The buckets of a use's windows as they were before it was counted. */
export interface CounterState {
  /** The instant they were judged at. */
  now: number
  windows: { window: LimitWindow; buckets: WindowCounters }[]
}

/**
 * Counts that several instances share, kept in a service beside them. Each call is one step that no other comes between.
 * A call that cannot be done soon fails: nobody waits for a count.
 */
export interface SharedCounters {
  /** Consumes the cost from every window, or from none if one of them lacks room. */
  consume(use: LimitRequest): Promise<CounterState>
  /** Refunds the cost to every window, at most what its current bucket holds. */
  refund(use: LimitRequest): Promise<void>
  close(): Promise<void>
}
