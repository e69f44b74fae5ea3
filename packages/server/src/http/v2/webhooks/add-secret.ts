import { NoQuery } from '@portico/wire/page'
import { AddedWebhookSecret } from '@portico/wire/v2/webhook'
import { isoInstant } from '../../../kernel/clock.ts'
import { jsonAlways } from '../../pipeline/produces.ts'
import { jsonReply } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import type { Services } from '../../services.ts'
import { requireWebhooks, toWebhookCaller, WEBHOOK_ERRORS, WEBHOOK_GATES, WebhookParams } from './webhook.ts'

export const addWebhookSecret = defineRoute({
  method: 'POST',
  path: '/webhooks/{webhookUuid}/secrets',
  operationId: 'addWebhookSecret',
  summary: 'Replace the secret of a webhook',
  description:
    'For 24 hours, each request carries two signatures: one of the new secret and one of the previous one.',
  tags: ['Webhooks'],
  gates: WEBHOOK_GATES,
  params: WebhookParams,
  query: NoQuery,
  produces: jsonAlways(201, 'The new secret', AddedWebhookSecret),
  errors: [...WEBHOOK_ERRORS, 'not-found', 'conflict'],
  async handle(call, services: Pick<Services, 'webhooks'>) {
    const webhookUuid = call.params.webhookUuid.toLowerCase()
    const { secret, previousEndsAt } = await requireWebhooks(services).rotateSecret(
      toWebhookCaller(call),
      webhookUuid,
    )
    const body: AddedWebhookSecret = { secret, previousEndsAt: isoInstant(previousEndsAt) }
    return jsonReply(body, 201, ['cache-control', 'no-store'])
  },
})
