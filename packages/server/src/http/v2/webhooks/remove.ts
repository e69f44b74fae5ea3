import { NoQuery } from '@portico/wire/page'
import { nothing } from '../../pipeline/produces.ts'
import { NO_CONTENT } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import type { Services } from '../../services.ts'
import { requireWebhooks, toWebhookCaller, WEBHOOK_ERRORS, WEBHOOK_GATES, WebhookParams } from './webhook.ts'

export const removeWebhook = defineRoute({
  method: 'DELETE',
  path: '/webhooks/{webhookUuid}',
  operationId: 'removeWebhook',
  summary: 'Remove a webhook',
  description: 'Waiting deliveries are dropped. The events stay in the log.',
  tags: ['Webhooks'],
  gates: WEBHOOK_GATES,
  params: WebhookParams,
  query: NoQuery,
  produces: nothing('Removed'),
  errors: [...WEBHOOK_ERRORS, 'not-found'],
  async handle(call, services: Pick<Services, 'webhooks'>) {
    await requireWebhooks(services).remove(toWebhookCaller(call), call.params.webhookUuid.toLowerCase())
    return NO_CONTENT
  },
})
