import { V1Caller } from '@portico/wire/operator/migration'
import { Page, PageQuery } from '@portico/wire/page'
import { Type } from 'typebox'
import { pageReply, readPageQuery, toPage } from '../../pipeline/page-query.ts'
import { page } from '../../pipeline/produces.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { partnerFilter } from '../list-query.ts'
import { OPERATOR_GATES } from '../surface.ts'
import type { Services } from '../../services.ts'
import { toWireV1Caller } from './convert.ts'

const CallersQuery = Type.Object(
  { ...PageQuery.properties, partnerUuid: partnerFilter('calls') },
  { additionalProperties: false },
)

export const listV1Callers = defineRoute({
  method: 'GET',
  path: '/migration',
  operationId: 'listV1Callers',
  summary: 'List the partners that still call version 1',
  description: 'Calls by partner and endpoint; endpoints without calls are left out.',
  tags: ['Migration'],
  gates: OPERATOR_GATES,
  query: CallersQuery,
  produces: page('One page of partners and endpoints', Page(V1Caller)),
  errors: ['forbidden'],
  async handle(call, services: Pick<Services, 'v1Usage' | 'cursors' | 'addresses'>) {
    const only = call.query.partnerUuid?.toLowerCase()
    const scope = `operator/migration ${call.caller.partnerUuid} ${only ?? ''}`
    const { limit, position } = readPageQuery(call.query, services, scope)
    const [partnerUuid, path] = position?.split(' ') ?? []
    const after = partnerUuid !== undefined && path !== undefined ? { partnerUuid, path } : undefined
    const uses =
      only === undefined
        ? await services.v1Usage.list({ after, limit: limit + 1 })
        : (await services.v1Usage.listForPartner(only)).filter((use) => !after || use.path > after.path)
    return pageReply(
      call,
      services,
      toPage(uses, limit, toWireV1Caller, (use) =>
        services.cursors.encode(scope, `${use.partnerUuid} ${use.path}`),
      ),
      limit,
    )
  },
})
