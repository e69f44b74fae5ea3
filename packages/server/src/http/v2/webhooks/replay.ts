import { NoQuery } from '@portico/wire/page'
import { Replay, ReplayBody } from '@portico/wire/v2/webhook'
import { parseTime } from '../../../calendar/parse-time.ts'
import { getZone } from '../../../calendar/zone.ts'
import type { ReplayRequest } from '../../../domain/webhook/service.ts'
import { invalidField } from '../../../kernel/errors.ts'
import { jsonAlways } from '../../pipeline/produces.ts'
import { jsonReply } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import type { Services } from '../../services.ts'
import { requireWebhooks, toWebhookCaller, WEBHOOK_ERRORS, WEBHOOK_GATES, WebhookParams } from './webhook.ts'

const UTC = getZone('UTC')

export const replayEvents = defineRoute({
  method: 'POST',
  path: '/webhooks/{webhookUuid}/replay',
  operationId: 'replayEvents',
  summary: 'Send events of a site again',
  description:
    'Events in the range that are still in the log, at most 100,000. The header `webhook-id` is the same as before, so ' +
    'a receiver can ignore events that it has already processed. Times without an offset are in UTC; the end is exclusive.',
  tags: ['Webhooks'],
  gates: WEBHOOK_GATES,
  params: WebhookParams,
  query: NoQuery,
  body: ReplayBody,
  produces: jsonAlways(202, 'Accepted', Replay),
  errors: [...WEBHOOK_ERRORS, 'not-found'],
  async handle(call, services: Pick<Services, 'webhooks'>) {
    const webhooks = requireWebhooks(services)
    const webhookUuid = call.params.webhookUuid.toLowerCase()
    const count = await webhooks.replay(toWebhookCaller(call), webhookUuid, readRequest(call.body))
    return jsonReply({ count } satisfies Replay, 202)
  },
})

function readRequest(body: ReplayBody): ReplayRequest {
  const { siteUuid, fromNumber, fromDateTime, toNumber, toDateTime, eventTypes, only } = body
  if (fromNumber !== undefined && fromDateTime !== undefined)
    throw invalidField('fromDateTime', 'not-allowed', 'must be absent if fromNumber is given')
  if (toNumber !== undefined && toDateTime !== undefined)
    throw invalidField('toDateTime', 'not-allowed', 'must be absent if toNumber is given')
  return {
    siteUuid: siteUuid.toLowerCase(),
    onlyFailed: only === 'failed',
    ...(fromNumber !== undefined && { fromNumber }),
    ...(toNumber !== undefined && { toNumber }),
    ...(fromDateTime !== undefined && { fromAt: parseTime(fromDateTime, 'fromDateTime', UTC) }),
    ...(toDateTime !== undefined && { toAt: parseTime(toDateTime, 'toDateTime', UTC) }),
    ...(eventTypes && { eventTypes }),
  }
}
