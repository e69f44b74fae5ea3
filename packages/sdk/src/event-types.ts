import type { Event } from './types.ts'

interface WebhookFields<T extends string> {
  eventUuid: string
  type: T
  version: number
  timestamp: string
  data: Record<string, unknown>
}

/** Sent on request, to see whether a webhook works. */
export type WebhookTestEvent = WebhookFields<'webhook.test'>

/** Sent every hour, if wanted: how much is waiting. */
export type WebhookHeartbeatEvent = WebhookFields<'webhook.heartbeat'>

/** What a site’s log contains. Later versions of the server may add types: ignore those you do not know. */
export type SiteEvent = Event

/** What a webhook may receive; `type` tells them apart. */
export type WebhookEvent = SiteEvent | WebhookTestEvent | WebhookHeartbeatEvent
