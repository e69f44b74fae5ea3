import { RejectedMessage } from '@portico/wire/operator/rejected'
import { Page, PageQuery } from '@portico/wire/page'
import { Type } from 'typebox'
import { pageReply, readPageQuery, toPage } from '../pipeline/page-query.ts'
import { page } from '../pipeline/produces.ts'
import { defineRoute } from '../pipeline/route.ts'
import { toWireRejected } from './convert.ts'
import { fromFilter, readFrom, textFilter } from './list-query.ts'
import { OPERATOR_GATES } from './surface.ts'
import type { Services } from '../services.ts'

const RejectedQuery = Type.Object(
  {
    ...PageQuery.properties,
    reason: textFilter('Only messages that were rejected for this reason.', 'not-json'),
    search: textFilter('Only messages with this text in topic, message or payload, in any case.', 'readings'),
    from: fromFilter('Only messages that arrived since then.'),
  },
  { additionalProperties: false },
)

export const listRejected = defineRoute({
  method: 'GET',
  path: '/rejected',
  operationId: 'listRejected',
  summary: 'List the rejected MQTT messages',
  description: 'Newest first; the newest 10,000 are stored.',
  tags: ['Gateways'],
  gates: OPERATOR_GATES,
  query: RejectedQuery,
  produces: page('One page of rejected messages', Page(RejectedMessage)),
  errors: ['forbidden'],
  async handle(call, services: Pick<Services, 'rejected' | 'cursors' | 'addresses'>) {
    const { reason, search, from } = call.query
    const scope = `operator/rejected ${call.caller.partnerUuid} ${JSON.stringify([reason, search, from])}`
    const { limit, position } = readPageQuery(call.query, services, scope)
    const before = position === undefined ? undefined : Number(position)
    const messages = await services.rejected.list({
      before,
      limit: limit + 1,
      reason,
      search,
      from: readFrom(from),
    })
    return pageReply(
      call,
      services,
      toPage(messages, limit, toWireRejected, ({ id }) => services.cursors.encode(scope, String(id))),
      limit,
    )
  },
})
