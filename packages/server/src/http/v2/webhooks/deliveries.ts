import { about } from '@portico/wire/about'
import { EXAMPLE } from '@portico/wire/example-ids'
import { NoQuery, Page } from '@portico/wire/page'
import { Uuid } from '@portico/wire/uuid'
import { EventType } from '@portico/wire/v2/event-type'
import { WebhookDelivery, WebhookDeliveryWithAttempts } from '@portico/wire/v2/webhook'
import { Type } from 'typebox'
import { parseTime } from '../../../calendar/parse-time.ts'
import { getZone } from '../../../calendar/zone.ts'
import { type Delivery, DELIVERY_STATES } from '../../../domain/webhook/delivery.ts'
import type { DeliveryPosition } from '../../../domain/webhook/store.ts'
import { isoInstant } from '../../../kernel/clock.ts'
import { pageReply, readPageQuery, toPage } from '../../pipeline/page-query.ts'
import { json, page } from '../../pipeline/produces.ts'
import { jsonReply } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { toWireInstant } from '../../resources/webhook.ts'
import type { Services } from '../../services.ts'
import { listQuery } from '../query.ts'
import { requireWebhooks, toWebhookCaller, WEBHOOK_ERRORS, WEBHOOK_GATES, WebhookParams } from './webhook.ts'

const UTC = getZone('UTC')

const toWireDelivery = (delivery: Delivery): WebhookDelivery => {
  const { eventUuid, siteUuid, number, type, state, tries, lastStatus, lastError } = delivery
  return {
    eventUuid,
    siteUuid,
    number,
    type,
    state,
    tries,
    nextTryAt: state === 'waiting' ? isoInstant(delivery.dueAt) : null,
    lastStatus,
    lastError,
    deliveredAt: toWireInstant(delivery.deliveredAt),
  }
}

export const listDeliveries = defineRoute({
  method: 'GET',
  path: '/webhooks/{webhookUuid}/deliveries',
  operationId: 'listDeliveries',
  summary: 'List the deliveries of a webhook',
  description: 'Newest first. Deliveries are kept as long as their events.',
  tags: ['Webhooks'],
  gates: WEBHOOK_GATES,
  params: WebhookParams,
  query: listQuery({
    state: Type.Optional(Type.Enum([...DELIVERY_STATES], { description: 'Only deliveries in this state.' })),
    type: Type.Optional(about(EventType, 'Only deliveries of events of this type.')),
    from: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'Only deliveries that were created since then; without an offset, in UTC.',
        examples: ['2026-11-15T00:00:00Z'],
      }),
    ),
  }),
  produces: page('One page of deliveries', Page(WebhookDelivery)),
  errors: [...WEBHOOK_ERRORS, 'not-found'],
  async handle(call, services: Pick<Services, 'webhooks' | 'cursors' | 'addresses'>) {
    const webhooks = requireWebhooks(services)
    const webhookUuid = call.params.webhookUuid.toLowerCase()
    const { state, type, from } = call.query
    const scope = JSON.stringify(['deliveries', call.caller.partnerUuid, webhookUuid, state, type, from])
    const { limit, position } = readPageQuery(call.query, services, scope)
    const filter = {
      ...(state !== undefined && { state }),
      ...(type !== undefined && { type }),
      ...(from !== undefined && { from: parseTime(from, 'from', UTC) }),
    }
    const after = position === undefined ? undefined : (JSON.parse(position) as DeliveryPosition)
    const found = await webhooks.deliveries(toWebhookCaller(call), webhookUuid, filter, after, limit + 1)
    const cursorAfter = ({ createdAt, siteUuid, number, round }: Delivery): string =>
      services.cursors.encode(scope, JSON.stringify({ createdAt, siteUuid, number, round }))
    return pageReply(call, services, toPage(found, limit, toWireDelivery, cursorAfter), limit)
  },
})

export const getDelivery = defineRoute({
  method: 'GET',
  path: '/webhooks/{webhookUuid}/deliveries/{eventUuid}',
  operationId: 'getDelivery',
  summary: 'Read a delivery with its attempts',
  description: 'After a replay, the latest delivery of the event.',
  tags: ['Webhooks'],
  gates: WEBHOOK_GATES,
  params: Type.Object({
    ...WebhookParams.properties,
    eventUuid: about(
      Uuid,
      'The eventUuid of an event, from GET /webhooks/{webhookUuid}/deliveries.',
      EXAMPLE.eventUuid,
    ),
  }),
  query: NoQuery,
  produces: json('The delivery', WebhookDeliveryWithAttempts),
  errors: [...WEBHOOK_ERRORS, 'not-found'],
  async handle(call, services: Pick<Services, 'webhooks'>) {
    const { webhookUuid, eventUuid } = call.params
    const { delivery, attempts } = await requireWebhooks(services).delivery(
      toWebhookCaller(call),
      webhookUuid.toLowerCase(),
      eventUuid.toLowerCase(),
    )
    const body: WebhookDeliveryWithAttempts = {
      ...toWireDelivery(delivery),
      attempts: attempts.map((attempt) => ({ ...attempt, at: isoInstant(attempt.at) })),
    }
    return jsonReply(body)
  },
})
