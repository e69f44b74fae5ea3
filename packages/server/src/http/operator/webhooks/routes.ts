import { about } from '@portico/wire/about'
import { EXAMPLE } from '@portico/wire/example-ids'
import { OperatorWebhook, WebhookStateChange } from '@portico/wire/operator/webhook'
import { NoQuery, Page } from '@portico/wire/page'
import { Uuid } from '@portico/wire/uuid'
import { Type } from 'typebox'
import { jsonAlways, page } from '../../pipeline/produces.ts'
import { jsonReply } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { toWireOperatorWebhook } from '../../resources/webhook.ts'
import type { Services } from '../../services.ts'
import { partnerFilter } from '../list-query.ts'
import { OPERATOR_GATES, toActor } from '../surface.ts'

export const listAllWebhooks = defineRoute({
  method: 'GET',
  path: '/webhooks',
  operationId: 'listAllWebhooks',
  summary: 'List the webhooks of all partners',
  description: 'Oldest first, all on one page.',
  tags: ['Webhooks'],
  gates: OPERATOR_GATES,
  query: Type.Object({ partnerUuid: partnerFilter('webhooks') }, { additionalProperties: false }),
  produces: page('The webhooks', Page(OperatorWebhook)),
  errors: ['forbidden'],
  async handle({ query }, { webhookAdministration }: Pick<Services, 'webhookAdministration'>) {
    const data = (await webhookAdministration.listAll(query.partnerUuid?.toLowerCase())).map(
      toWireOperatorWebhook,
    )
    return jsonReply({ data, pagination: { nextCursor: null, hasMore: false } })
  },
})

export const changeWebhookState = defineRoute({
  method: 'PATCH',
  path: '/webhooks/{webhookUuid}',
  operationId: 'changeWebhookState',
  summary: 'Enable or disable a webhook',
  description: 'Events wait in the log while it is disabled; it continues where it stopped.',
  tags: ['Webhooks'],
  gates: OPERATOR_GATES,
  params: Type.Object(
    { webhookUuid: about(Uuid, 'The webhookUuid of a webhook, from GET /webhooks.', EXAMPLE.webhookUuid) },
    { additionalProperties: false },
  ),
  query: NoQuery,
  body: WebhookStateChange,
  produces: jsonAlways(200, 'The changed webhook', OperatorWebhook),
  errors: ['forbidden', 'not-found'],
  async handle(call, { webhookAdministration }: Pick<Services, 'webhookAdministration'>) {
    const webhookUuid = call.params.webhookUuid.toLowerCase()
    return jsonReply(
      toWireOperatorWebhook(
        await webhookAdministration.setState(webhookUuid, call.body.state, toActor(call)),
      ),
    )
  },
})
