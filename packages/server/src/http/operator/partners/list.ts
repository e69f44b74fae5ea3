import { Partner } from '@portico/wire/operator/partner'
import { Page, PageQuery as PageQuerySchema } from '@portico/wire/page'
import type { FastifyInstance } from 'fastify'
import { type PageQuery, readPageQuery, toPage } from '../../page-query.ts'
import { callerOf } from '../../plugins/bearer-auth.ts'
import { responses } from '../../responses.ts'
import type { Services } from '../../services.ts'
import { toWirePartner } from './convert.ts'

const schema = {
  operationId: 'listPartners',
  summary: 'List partners',
  tags: ['Partners'],
  querystring: PageQuerySchema,
  response: responses(200, 'One page of partners', Page(Partner), 'forbidden'),
}

export function listPartners(app: FastifyInstance, services: Services): void {
  app.get<{ Querystring: PageQuery }>('/partners', { schema }, async (request) => {
    const scope = `operator/partners ${callerOf(request).partnerUuid}`
    const { limit, position } = readPageQuery(request.query, services, scope)
    const partners = await services.partners.list({ after: position, limit: limit + 1 })
    return toPage(partners, limit, toWirePartner, ({ partnerUuid }) =>
      services.cursors.encode(scope, partnerUuid),
    )
  })
}
