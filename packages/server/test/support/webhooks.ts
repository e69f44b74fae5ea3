import type { NewEvent } from '../../src/domain/event/event.ts'
import type { ClaimedDelivery, DeliveryOutcome } from '../../src/domain/webhook/delivery.ts'
import { HEALTHY, type Webhook } from '../../src/domain/webhook/webhook.ts'
import { SERVER } from '../../src/domain/identity/audit.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import type { Store } from '../../src/store/store.ts'
import { NOON } from './seed.ts'

export const createWebhook = (changes: Partial<Webhook> = {}): Webhook => ({
  webhookUuid: newUuid(),
  partnerUuid: newUuid(),
  url: 'https://partner.example.com/portico',
  description: 'Ünïcode "{,}\\ ’',
  eventTypes: null,
  siteUuids: null,
  heartbeat: true,
  state: 'enabled',
  reason: null,
  ...HEALTHY,
  secretNumber: 1,
  previousEndsAt: null,
  nextHeartbeatAt: null,
  createdAt: NOON,
  updatedAt: NOON,
  ...changes,
})

export const newAuditEntry = (action: string) => ({
  at: NOON,
  actor: SERVER,
  action,
  target: newUuid(),
  detail: {},
})

export const addWebhook = async (
  { webhooks }: Pick<Store, 'webhooks'>,
  siteUuids: readonly string[],
  changes: Partial<Webhook> = {},
): Promise<Webhook> => {
  const webhook = createWebhook(changes)
  await webhooks.add(webhook, siteUuids, { max: 20 }, newAuditEntry('webhook.added'))
  return webhook
}

/** One event of each of these devices, in this order. */
export const createEvents = (
  deviceUuids: readonly (string | null)[],
  changes: Partial<NewEvent> = {},
): NewEvent[] =>
  deviceUuids.map((deviceUuid) => ({
    eventUuid: newUuid(),
    type: 'device.online',
    at: NOON,
    recordedAt: NOON,
    deviceUuid,
    spaceUuid: null,
    data: { deviceUuid },
    ...changes,
  }))

/** The outcome of an attempt of a claimed delivery. */
export const createOutcome = (
  { siteUuid, webhookUuid, number, round, tries, givesWay }: ClaimedDelivery,
  changes: Partial<DeliveryOutcome> = {},
): DeliveryOutcome => ({
  key: { siteUuid, webhookUuid, number, round },
  attempt: { at: NOON + 10, status: 200, error: null, durationMs: 5, response: 'ok' },
  state: 'delivered',
  tries: tries + 1,
  dueAt: NOON,
  givesWay,
  ...changes,
})
