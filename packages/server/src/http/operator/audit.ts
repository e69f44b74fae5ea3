import { AuditEntry } from '@portico/wire/operator/audit'
import { Page, PageQuery } from '@portico/wire/page'
import { Type } from 'typebox'
import { pageReply, readPageQuery, toPage } from '../pipeline/page-query.ts'
import { page } from '../pipeline/produces.ts'
import { defineRoute } from '../pipeline/route.ts'
import { toWireEntry } from './convert.ts'
import { fromFilter, readFrom, textFilter } from './list-query.ts'
import { OPERATOR_GATES } from './surface.ts'
import type { Services } from '../services.ts'

const AuditQuery = Type.Object(
  {
    ...PageQuery.properties,
    action: textFilter('Only entries of this action.', 'partner.added'),
    actor: textFilter('Only entries of this actor: a partnerUuid, or a name.', 'Platform team'),
    search: textFilter(
      'Only entries with this text in action, name of the actor, target or detail, in any case.',
      'Example Energy',
    ),
    from: fromFilter('Only entries since then.'),
  },
  { additionalProperties: false },
)

export const listAudit = defineRoute({
  method: 'GET',
  path: '/audit',
  operationId: 'listAudit',
  summary: 'List the audit log',
  description: 'Newest first.',
  tags: ['Audit'],
  gates: OPERATOR_GATES,
  query: AuditQuery,
  produces: page('One page of entries', Page(AuditEntry)),
  errors: ['forbidden'],
  async handle(call, services: Pick<Services, 'audit' | 'cursors' | 'addresses'>) {
    const { action, actor, search, from } = call.query
    const scope = `operator/audit ${call.caller.partnerUuid} ${JSON.stringify([action, actor, search, from])}`
    const { limit, position } = readPageQuery(call.query, services, scope)
    const before = position === undefined ? undefined : Number(position)
    const entries = await services.audit.list({
      before,
      limit: limit + 1,
      action,
      actor,
      search,
      from: readFrom(from),
    })
    return pageReply(
      call,
      services,
      toPage(entries, limit, toWireEntry, ({ id }) => services.cursors.encode(scope, String(id))),
      limit,
    )
  },
})
