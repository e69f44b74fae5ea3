import { V1Caller } from '@portico/wire/operator/migration'
import { Page, PageQuery as PageQuerySchema } from '@portico/wire/page'
import type { FastifyInstance } from 'fastify'
import { type PageQuery, readPageQuery, toPage } from '../../page-query.ts'
import { callerOf } from '../../plugins/bearer-auth.ts'
import { responses } from '../../responses.ts'
import type { Services } from '../../services.ts'
import { toWireV1Caller } from './convert.ts'

const schema = {
  operationId: 'listV1Callers',
  summary: 'Read who still calls version 1',
  description: 'By partner and endpoint; only what was called.',
  tags: ['Migration'],
  querystring: PageQuerySchema,
  response: responses(200, 'One page of partners and endpoints', Page(V1Caller), 'forbidden'),
}

export function listV1Callers(app: FastifyInstance, services: Services): void {
  app.get<{ Querystring: PageQuery }>('/migration', { schema }, async (request) => {
    const scope = `operator/migration ${callerOf(request).partnerUuid}`
    const { limit, position } = readPageQuery(request.query, services, scope)
    const [partnerUuid, path] = position?.split(' ') ?? []
    const after = partnerUuid !== undefined && path !== undefined ? { partnerUuid, path } : undefined
    const uses = await services.v1Usage.list({ after, limit: limit + 1 })
    return toPage(uses, limit, toWireV1Caller, (use) =>
      services.cursors.encode(scope, `${use.partnerUuid} ${use.path}`),
    )
  })
}
