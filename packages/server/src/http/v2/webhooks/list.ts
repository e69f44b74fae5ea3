import { NoQuery, Page } from '@portico/wire/page'
import { Webhook } from '@portico/wire/v2/webhook'
import { json } from '../../pipeline/produces.ts'
import { jsonReply } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { toWireWebhook } from '../../resources/webhook.ts'
import type { Services } from '../../services.ts'
import { requireWebhooks, WEBHOOK_ERRORS, WEBHOOK_GATES } from './webhook.ts'

export const listWebhooks = defineRoute({
  method: 'GET',
  path: '/webhooks',
  operationId: 'listWebhooks',
  summary: 'List your webhooks',
  description: 'Oldest first, all on one page.',
  tags: ['Webhooks'],
  gates: WEBHOOK_GATES,
  query: NoQuery,
  produces: json('The webhooks', Page(Webhook)),
  errors: WEBHOOK_ERRORS,
  async handle({ caller }, services: Pick<Services, 'webhooks'>) {
    const views = await requireWebhooks(services).list(caller.partnerUuid)
    return jsonReply({ data: views.map(toWireWebhook), pagination: { nextCursor: null, hasMore: false } })
  },
})
