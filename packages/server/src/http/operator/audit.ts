import { AuditEntry } from '@portico/wire/operator/audit'
import { Page, PageQuery } from '@portico/wire/page'
import { pageReply, readPageQuery, toPage } from '../pipeline/page-query.ts'
import { page } from '../pipeline/produces.ts'
import { defineRoute } from '../pipeline/route.ts'
import { toWireEntry } from './convert.ts'
import { OPERATOR_GATES } from './surface.ts'
import type { Services } from '../services.ts'

export const listAudit = defineRoute({
  method: 'GET',
  path: '/audit',
  operationId: 'listAudit',
  summary: 'List the audit log',
  description: 'Newest first.',
  tags: ['Audit'],
  gates: OPERATOR_GATES,
  query: PageQuery,
  produces: page('One page of entries', Page(AuditEntry)),
  errors: ['forbidden'],
  async handle(call, services: Pick<Services, 'audit' | 'cursors' | 'addresses'>) {
    const scope = `operator/audit ${call.caller.partnerUuid}`
    const { limit, position } = readPageQuery(call.query, services, scope)
    const before = position === undefined ? undefined : Number(position)
    const entries = await services.audit.list({ before, limit: limit + 1 })
    return pageReply(
      call,
      services,
      toPage(entries, limit, toWireEntry, ({ id }) => services.cursors.encode(scope, String(id))),
      limit,
    )
  },
})
