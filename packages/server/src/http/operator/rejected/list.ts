import { RejectedMessage } from '@portico/wire/operator/rejected'
import { Page, PageQuery as PageQuerySchema } from '@portico/wire/page'
import type { FastifyInstance } from 'fastify'
import { isoInstant } from '../../../lib/clock.ts'
import type { KeptRejection } from '../../../rejected/rejected.ts'
import { type PageQuery, readPageQuery, toPage } from '../../page-query.ts'
import { callerOf } from '../../plugins/bearer-auth.ts'
import { responses } from '../../responses.ts'
import type { Services } from '../../services.ts'

const schema = {
  operationId: 'listRejected',
  summary: 'Read which MQTT messages were refused',
  description: 'Newest first; the newest 10,000 are kept.',
  tags: ['Gateways'],
  querystring: PageQuerySchema,
  response: responses(200, 'One page of refused messages', Page(RejectedMessage), 'forbidden'),
}

export function listRejected(app: FastifyInstance, services: Services): void {
  app.get<{ Querystring: PageQuery }>('/rejected', { schema }, async (request) => {
    const scope = `operator/rejected ${callerOf(request).partnerUuid}`
    const { limit, position } = readPageQuery(request.query, services, scope)
    const before = position === undefined ? undefined : Number(position)
    const messages = await services.rejected.list({ before, limit: limit + 1 })
    return toPage(messages, limit, toWireRejected, ({ id }) => services.cursors.encode(scope, String(id)))
  })
}

function toWireRejected(kept: KeptRejection): RejectedMessage {
  const { id: _, ...message } = kept
  return { ...message, at: isoInstant(message.at) }
}
