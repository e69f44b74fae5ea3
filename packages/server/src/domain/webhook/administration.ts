import type { Clock } from '../../kernel/clock.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Actor } from '../identity/audit.ts'
import type { WebhookStore } from './store.ts'
import { loadView, loadViews, type WebhookView } from './view.ts'
import { HEALTHY, type WebhookFields } from './webhook.ts'

/** An operator's actions on the webhooks of all partners. */
export interface WebhookAdministration {
  /** All webhooks, or those of one partner. */
  listAll(partnerUuid?: string): Promise<WebhookView[]>
  setState(webhookUuid: string, state: 'enabled' | 'disabled', actor: Actor): Promise<WebhookView>
}

type AdministrationStore = Pick<WebhookStore, 'list' | 'find' | 'update' | 'makeDue' | 'progress'>

/** Also used by the command line, which needs neither keys nor a network. */
export function createWebhookAdministration(deps: {
  store: AdministrationStore
  clock: Clock
}): WebhookAdministration {
  const { store, clock } = deps
  return {
    listAll: async (partnerUuid) => loadViews(store, await store.list(partnerUuid)),
    async setState(webhookUuid, state, actor) {
      const now = clock.now()
      const changes: WebhookFields =
        state === 'enabled'
          ? { ...HEALTHY, state, reason: null, updatedAt: now }
          : { ...HEALTHY, state, reason: 'operator', updatedAt: now }
      const entry = { at: now, actor, action: `webhook.${state}`, target: webhookUuid, detail: {} }
      const webhook = await store.update(webhookUuid, {}, changes, entry)
      if (!webhook) throw notFound('webhook')
      if (state === 'enabled') await store.makeDue(webhookUuid, now)
      return loadView(store, webhook)
    },
  }
}
