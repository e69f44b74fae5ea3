import type { Command, Open } from './types.ts'

interface EventFields<T extends string, D> {
  eventUuid: string
  type: T
  /** Increases when a field of `data` changes its meaning. */
  version: number
  timestamp: string
  data: D
}

/** An event of a site’s log. */
interface SiteEventFields<T extends string, D> extends EventFields<T, D> {
  siteUuid: string
  /** Its position in the log of the site, without gaps. */
  number: number
  deviceUuid: string | null
  spaceUuid: string | null
}

export type CommandUpdatedEvent = SiteEventFields<
  'command.updated',
  { previousState: Open<Command['state']> | null; command: Command }
>

interface StatusData {
  deviceName: string
  deviceType: string
  spaceName: string
  status: Open<'online' | 'offline'>
  since: string
  /** Null if it is online. */
  reason: Open<'presence' | 'silent' | 'gateway'> | null
  gatewayUuid: string | null
}

export type DeviceOnlineEvent = SiteEventFields<'device.online', StatusData>
export type DeviceOfflineEvent = SiteEventFields<'device.offline', StatusData>

export type InventoryChangedEvent = SiteEventFields<
  'inventory.changed',
  {
    created: number
    updated: number
    archived: number
    version: number
    /** At most 100. */
    spaceUuids: string[]
    /** At most 100. */
    deviceUuids: string[]
    isComplete: boolean
  }
>

/** Sent on request, to see whether a webhook works. */
export type WebhookTestEvent = EventFields<'webhook.test', Record<string, unknown>>

/** Sent every hour, if wanted: how much is waiting. */
export type WebhookHeartbeatEvent = EventFields<'webhook.heartbeat', Record<string, unknown>>

/** What a site’s log contains. Later versions of the server may add types: ignore those you do not know. */
export type SiteEvent = CommandUpdatedEvent | DeviceOnlineEvent | DeviceOfflineEvent | InventoryChangedEvent

/** What a webhook may receive; `type` tells them apart. */
export type WebhookEvent = SiteEvent | WebhookTestEvent | WebhookHeartbeatEvent
