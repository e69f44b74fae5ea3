import { NoQuery } from '@portico/wire/page'
import { Webhook } from '@portico/wire/v2/webhook'
import { json } from '../../pipeline/produces.ts'
import { jsonReply } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { toWireWebhook } from '../../resources/webhook.ts'
import type { Services } from '../../services.ts'
import { requireWebhooks, toWebhookCaller, WEBHOOK_ERRORS, WEBHOOK_GATES, WebhookParams } from './webhook.ts'

export const getWebhook = defineRoute({
  method: 'GET',
  path: '/webhooks/{webhookUuid}',
  operationId: 'getWebhook',
  summary: 'Read a webhook',
  description: 'Shows whether its endpoint works and how much is waiting.',
  tags: ['Webhooks'],
  gates: WEBHOOK_GATES,
  params: WebhookParams,
  query: NoQuery,
  produces: json('The webhook', Webhook),
  errors: [...WEBHOOK_ERRORS, 'not-found'],
  async handle(call, services: Pick<Services, 'webhooks'>) {
    const webhookUuid = call.params.webhookUuid.toLowerCase()
    return jsonReply(toWireWebhook(await requireWebhooks(services).get(toWebhookCaller(call), webhookUuid)))
  },
})
