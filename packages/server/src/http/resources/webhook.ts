import type { OperatorWebhook } from '@portico/wire/operator/webhook'
import type { Webhook as WireWebhook } from '@portico/wire/v2/webhook'
import type { WebhookView } from '../../domain/webhook/view.ts'
import { isoInstant } from '../../kernel/clock.ts'

export const toWireInstant = (at: number | null): string | null => (at === null ? null : isoInstant(at))

export const toWireWebhook = ({ webhook, progress }: WebhookView): WireWebhook => ({
  webhookUuid: webhook.webhookUuid,
  url: webhook.url,
  description: webhook.description,
  eventTypes: webhook.eventTypes && [...webhook.eventTypes],
  siteUuids: webhook.siteUuids && [...webhook.siteUuids],
  heartbeat: webhook.heartbeat,
  state: webhook.state,
  reason: webhook.reason,
  failingSince: toWireInstant(webhook.failingSince),
  lastDeliveredAt: toWireInstant(progress.lastDeliveredAt),
  waiting: progress.waiting,
  oldestWaitingAt: toWireInstant(progress.oldestWaitingAt),
  lost: progress.lost,
  createdAt: isoInstant(webhook.createdAt),
  updatedAt: isoInstant(webhook.updatedAt),
})

export const toWireOperatorWebhook = (view: WebhookView): OperatorWebhook => ({
  partnerUuid: view.webhook.partnerUuid,
  ...toWireWebhook(view),
})
