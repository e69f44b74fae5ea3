import { NoQuery } from '@portico/wire/page'
import { EnableBody, Webhook } from '@portico/wire/v2/webhook'
import { jsonAlways } from '../../pipeline/produces.ts'
import { jsonReply } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { toWireWebhook } from '../../resources/webhook.ts'
import type { Services } from '../../services.ts'
import { requireWebhooks, toWebhookCaller, WEBHOOK_ERRORS, WEBHOOK_GATES, WebhookParams } from './webhook.ts'

export const enableWebhook = defineRoute({
  method: 'POST',
  path: '/webhooks/{webhookUuid}/enable',
  operationId: 'enableWebhook',
  summary: 'Enable a webhook again',
  description: 'Deliveries continue where they stopped, or with the next event.',
  tags: ['Webhooks'],
  gates: WEBHOOK_GATES,
  params: WebhookParams,
  query: NoQuery,
  body: EnableBody,
  isBodyOptional: true,
  produces: jsonAlways(200, 'The enabled webhook', Webhook),
  errors: [...WEBHOOK_ERRORS, 'not-found'],
  async handle(call, services: Pick<Services, 'webhooks'>) {
    const { from = 'where-it-stopped' } = call.body
    const webhookUuid = call.params.webhookUuid.toLowerCase()
    return jsonReply(
      toWireWebhook(await requireWebhooks(services).enable(toWebhookCaller(call), webhookUuid, from)),
    )
  },
})
