import { RejectedMessage } from '@portico/wire/operator/rejected'
import { Page, PageQuery } from '@portico/wire/page'
import { pageReply, readPageQuery, toPage } from '../pipeline/page-query.ts'
import { page } from '../pipeline/produces.ts'
import { defineRoute } from '../pipeline/route.ts'
import { toWireRejected } from './convert.ts'
import { OPERATOR_GATES } from './surface.ts'
import type { Services } from '../services.ts'

export const listRejected = defineRoute({
  method: 'GET',
  path: '/rejected',
  operationId: 'listRejected',
  summary: 'List the rejected MQTT messages',
  description: 'Newest first; the newest 10,000 are stored.',
  tags: ['Gateways'],
  gates: OPERATOR_GATES,
  query: PageQuery,
  produces: page('One page of rejected messages', Page(RejectedMessage)),
  errors: ['forbidden'],
  async handle(call, services: Pick<Services, 'rejected' | 'cursors' | 'addresses'>) {
    const scope = `operator/rejected ${call.caller.partnerUuid}`
    const { limit, position } = readPageQuery(call.query, services, scope)
    const before = position === undefined ? undefined : Number(position)
    const messages = await services.rejected.list({ before, limit: limit + 1 })
    return pageReply(
      call,
      services,
      toPage(messages, limit, toWireRejected, ({ id }) => services.cursors.encode(scope, String(id))),
      limit,
    )
  },
})
