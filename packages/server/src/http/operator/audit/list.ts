import { AuditEntry } from '@portico/wire/operator/audit'
import { Page, PageQuery as PageQuerySchema } from '@portico/wire/page'
import type { FastifyInstance } from 'fastify'
import type { RecordedEntry } from '../../../audit/audit.ts'
import { isoInstant } from '../../../lib/clock.ts'
import { type PageQuery, readPageQuery, toPage } from '../../page-query.ts'
import { callerOf } from '../../plugins/bearer-auth.ts'
import { responses } from '../../responses.ts'
import type { Services } from '../../services.ts'

const schema = {
  operationId: 'listAudit',
  summary: 'Read who did what',
  description: 'Newest first.',
  tags: ['Audit'],
  querystring: PageQuerySchema,
  response: responses(200, 'One page of entries', Page(AuditEntry), 'forbidden'),
}

export function listAudit(app: FastifyInstance, services: Services): void {
  app.get<{ Querystring: PageQuery }>('/audit', { schema }, async (request) => {
    const scope = `operator/audit ${callerOf(request).partnerUuid}`
    const { limit, position } = readPageQuery(request.query, services, scope)
    const before = position === undefined ? undefined : Number(position)
    const entries = await services.audit.list({ before, limit: limit + 1 })
    return toPage(entries, limit, toWireEntry, ({ id }) => services.cursors.encode(scope, String(id)))
  })
}

const toWireEntry = (entry: RecordedEntry): AuditEntry => ({ ...entry, at: isoInstant(entry.at) })
