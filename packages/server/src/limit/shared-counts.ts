import type { Buckets } from './buckets.ts'
import type { Use, Window } from './limits.ts'

/** The buckets of a use's windows as they were before it was counted. */
export interface Found {
  /** The instant they were judged at. */
  now: number
  windows: { window: Window; buckets: Buckets }[]
}

/**
 * Counts that several instances share, kept in a service beside them. Each call is one step that no other comes between.
 * A call that cannot be done soon fails: nobody waits for a count.
 */
export interface SharedCounts {
  /** Consumes the cost from every window, or from none if one of them lacks room. */
  consume(use: Use): Promise<Found>
  /** Refunds the cost to every window, at most what its current bucket holds. */
  refund(use: Use): Promise<void>
  close(): Promise<void>
}
