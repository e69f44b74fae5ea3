import type { EventRecord, EventType, NewEvent } from './event.ts'

/** The ends of a site's log. It is empty if `firstNumber` is greater than `lastNumber`. */
export interface EventHead {
  /** The number of the newest event, whether it is still kept or not. */
  lastNumber: number
  /** The number of the oldest event that is kept. */
  firstNumber: number
}

/** The head of a site that has never had an event. */
export const NO_EVENTS: EventHead = { lastNumber: 0, firstNumber: 1 }

export interface EventFilter {
  types?: readonly EventType[]
  deviceUuid?: string
  spaceUuid?: string
}

export interface EventStore {
  /**
   * Adds events to the log of a site in one transaction. Events of another change are written by the transaction of
   * that change, in the same way: a reader that has seen a number has seen all lower ones.
   */
  append(siteUuid: string, events: readonly NewEvent[]): Promise<void>
  /** The heads of the sites that have had events. */
  heads(siteUuids: readonly string[]): Promise<ReadonlyMap<string, EventHead>>
  /** Events with a number greater than `after`, in the order of their numbers. */
  list(siteUuid: string, after: number, limit: number, filter?: EventFilter): Promise<EventRecord[]>
  find(siteUuid: string, eventUuid: string): Promise<EventRecord | undefined>
  /** The number of the newest event that was recorded before an instant; the one before the oldest if there is none. */
  lastBefore(siteUuid: string, at: number): Promise<number>
  /** Deletes events recorded before an instant, oldest first. Returns how many. */
  removeBefore(at: number): Promise<number>
}
