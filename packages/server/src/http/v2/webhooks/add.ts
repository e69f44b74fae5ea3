import { EXAMPLE } from '@portico/wire/example-ids'
import { NoQuery } from '@portico/wire/page'
import { AddedWebhook, NewWebhook } from '@portico/wire/v2/webhook'
import { text } from '../../pipeline/openapi/response-headers.ts'
import { jsonAlways } from '../../pipeline/produces.ts'
import { jsonReply } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { toWireWebhook } from '../../resources/webhook.ts'
import type { Services } from '../../services.ts'
import { requireWebhooks, toWebhookCaller, WEBHOOK_ERRORS, WEBHOOK_GATES } from './webhook.ts'

const LOCATION = {
  Location: text('The address of the webhook.', `https://api.example.com/v2/webhooks/${EXAMPLE.webhookUuid}`),
}

export const addWebhook = defineRoute({
  method: 'POST',
  path: '/webhooks',
  operationId: 'addWebhook',
  summary: 'Add a webhook',
  description:
    'Events from now on are sent to the address. The secret, which verifies the signatures, is shown only here. ' +
    'At most 20 webhooks. Private addresses are rejected unless the operator allows their networks.',
  tags: ['Webhooks'],
  gates: WEBHOOK_GATES,
  query: NoQuery,
  body: NewWebhook,
  produces: jsonAlways(201, 'The webhook and its secret', AddedWebhook, { headers: LOCATION }),
  errors: [...WEBHOOK_ERRORS, 'address-not-allowed', 'conflict'],
  async handle(call, services: Pick<Services, 'webhooks' | 'addresses'>) {
    const { secret, ...view } = await requireWebhooks(services).add(toWebhookCaller(call), call.body)
    const location = `${services.addresses.baseUrl}/webhooks/${view.webhook.webhookUuid}`
    const headers = ['location', location, 'cache-control', 'no-store']
    return jsonReply({ ...toWireWebhook(view), secret } satisfies AddedWebhook, 201, headers)
  },
})
