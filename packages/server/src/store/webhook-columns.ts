import type { Webhook } from '../domain/webhook/webhook.ts'

/** The column of each field of a webhook, on every backend. */
export const WEBHOOK_COLUMNS = {
  webhookUuid: 'webhook_uuid',
  partnerUuid: 'partner_uuid',
  url: 'url',
  description: 'description',
  eventTypes: 'event_types',
  siteUuids: 'site_uuids',
  heartbeat: 'heartbeat',
  state: 'state',
  reason: 'reason',
  failingSince: 'failing_since',
  probeAt: 'probe_at',
  probes: 'probes',
  secretNumber: 'secret_number',
  previousEndsAt: 'previous_ends_at',
  nextHeartbeatAt: 'next_heartbeat_at',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const satisfies Record<keyof Webhook, string>

/** Decodes a list stored as JSON; null stays null. */
export const decodeList = <T>(json: string | null): T[] | null =>
  json === null ? null : (JSON.parse(json) as T[])
