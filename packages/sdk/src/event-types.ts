import type { Event, WebhookHeartbeatEvent, WebhookTestEvent } from './types.ts'

/** What a site’s log contains. Later versions of the server may add types: ignore those you do not know. */
export type SiteEvent = Event

/** What a webhook may receive; `type` tells them apart. */
export type WebhookEvent = SiteEvent | WebhookTestEvent | WebhookHeartbeatEvent
