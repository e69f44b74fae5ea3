import type { Event, WebhookHeartbeatEvent, WebhookTestEvent } from './types.ts'

/** An event in a site’s log. Later versions of the server may add types: ignore those you do not know. */
export type SiteEvent = Event

/** An event that a webhook may receive, discriminated by `type`. */
export type WebhookEvent = SiteEvent | WebhookTestEvent | WebhookHeartbeatEvent

export type SiteEventType = SiteEvent['type']

/** The events of some types. */
export type EventOfType<T extends SiteEventType> = Extract<SiteEvent, { type: T }>

export interface EventFilter<T extends SiteEventType = SiteEventType> {
  types?: readonly T[] | undefined
  deviceUuid?: string | undefined
  spaceUuid?: string | undefined
}

export interface EventPosition<T extends SiteEventType = SiteEventType> extends EventFilter<T> {
  /** Number of the last event that you have; the events of the last hour if absent. */
  after?: number | undefined
  /** Events per page, at most 1000. */
  limit?: number | undefined
}

export interface EventPage<T extends SiteEventType = SiteEventType> {
  data: EventOfType<T>[]
  pagination: { /** Pass it as `after` to get the events that follow. */ nextAfter: number; hasMore: boolean }
}
