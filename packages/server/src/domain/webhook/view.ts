import type { WebhookStore } from './store.ts'
import { NO_PROGRESS, type Webhook, type WebhookProgress } from './webhook.ts'

export interface WebhookView {
  webhook: Webhook
  progress: WebhookProgress
}

export async function loadViews(
  store: Pick<WebhookStore, 'progress'>,
  webhooks: readonly Webhook[],
): Promise<WebhookView[]> {
  const progress = await store.progress(webhooks.map(({ webhookUuid }) => webhookUuid))
  return webhooks.map((webhook) => ({
    webhook,
    progress: progress.get(webhook.webhookUuid) ?? NO_PROGRESS,
  }))
}

export const loadView = async (
  store: Pick<WebhookStore, 'progress'>,
  webhook: Webhook,
): Promise<WebhookView> => ({
  webhook,
  progress: (await store.progress([webhook.webhookUuid])).get(webhook.webhookUuid) ?? NO_PROGRESS,
})
