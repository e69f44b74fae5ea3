import { Partner } from '@portico/wire/operator/partner'
import { Page, PageQuery } from '@portico/wire/page'
import { pageReply, readPageQuery, toPage } from '../../pipeline/page-query.ts'
import { jsonAlways } from '../../pipeline/produces.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { OPERATOR_GATES } from '../surface.ts'
import type { Services } from '../../services.ts'
import { toWirePartner } from './convert.ts'

export const listPartners = defineRoute({
  method: 'GET',
  path: '/partners',
  operationId: 'listPartners',
  summary: 'List partners',
  tags: ['Partners'],
  gates: OPERATOR_GATES,
  query: PageQuery,
  produces: jsonAlways(200, 'One page of partners', Page(Partner)),
  errors: ['forbidden'],
  async handle(call, services: Pick<Services, 'partners' | 'cursors' | 'addresses'>) {
    const scope = `operator/partners ${call.caller.partnerUuid}`
    const { limit, position } = readPageQuery(call.query, services, scope)
    const partners = await services.partners.list({ after: position, limit: limit + 1 })
    return pageReply(
      call,
      services,
      toPage(partners, limit, toWirePartner, ({ partnerUuid }) =>
        services.cursors.encode(scope, partnerUuid),
      ),
      limit,
    )
  },
})
