import { NoQuery } from '@portico/wire/page'
import { Webhook, WebhookChanges } from '@portico/wire/v2/webhook'
import { jsonAlways } from '../../pipeline/produces.ts'
import { jsonReply } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { toWireWebhook } from '../../resources/webhook.ts'
import type { Services } from '../../services.ts'
import { requireWebhooks, toWebhookCaller, WEBHOOK_ERRORS, WEBHOOK_GATES, WebhookParams } from './webhook.ts'

export const changeWebhook = defineRoute({
  method: 'PATCH',
  path: '/webhooks/{webhookUuid}',
  operationId: 'changeWebhook',
  summary: 'Change a webhook',
  description:
    'Only the given fields change. Other event types and sites apply to events from now on. A new address starts ' +
    'without the failures of the old one.',
  tags: ['Webhooks'],
  gates: WEBHOOK_GATES,
  params: WebhookParams,
  query: NoQuery,
  body: WebhookChanges,
  produces: jsonAlways(200, 'The changed webhook', Webhook),
  errors: [...WEBHOOK_ERRORS, 'not-found', 'address-not-allowed'],
  async handle(call, services: Pick<Services, 'webhooks'>) {
    const webhookUuid = call.params.webhookUuid.toLowerCase()
    const view = await requireWebhooks(services).change(toWebhookCaller(call), webhookUuid, call.body)
    return jsonReply(toWireWebhook(view))
  },
})
