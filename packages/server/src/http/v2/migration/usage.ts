import { Page } from '@portico/wire/page'
import { V1Usage } from '@portico/wire/v2/migration'
import { isoInstant } from '../../../kernel/clock.ts'
import { V1_CATALOGUE } from '../../../domain/v1-lifecycle/catalogue.ts'
import { anyRole } from '../../pipeline/gates.ts'
import { jsonOrCsv } from '../../pipeline/produces.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { listReply } from '../paginate.ts'
import { listQuery } from '../query.ts'
import { SITE_GATES } from '../surface.ts'
import type { Services } from '../../services.ts'

const COLUMNS = ['method', 'path', 'state', 'calls', 'lastSeenAt', 'replacement'] as const

export const listOwnV1Usage = defineRoute({
  method: 'GET',
  path: '/migration/usage',
  operationId: 'listOwnV1Usage',
  summary: 'List your calls to version 1',
  description:
    'Every endpoint of version 1 with your calls to it, on all of your sites, and its replacement. Send Accept: text/csv for CSV.',
  tags: ['Migration'],
  gates: [...SITE_GATES, anyRole],
  query: listQuery({}),
  produces: jsonOrCsv('The endpoints of version 1', Page(V1Usage)),
  errors: ['forbidden', 'rate-limited'],
  async handle(call, services: Pick<Services, 'v1Usage' | 'cursors' | 'addresses'>) {
    const uses = await services.v1Usage.listForPartner(call.caller.partnerUuid)
    const byPath = new Map(uses.map((use) => [use.path, use]))
    return listReply(call, services, {
      name: 'v1-usage',
      items: V1_CATALOGUE.map((endpoint, index) => ({ endpoint, index })),
      getKey: ({ endpoint, index }) => [String(index).padStart(3, '0'), endpoint.path],
      toWire: ({ endpoint: { method, path, state, replacement } }): V1Usage => {
        const use = byPath.get(path)
        const lastSeenAt = use ? isoInstant(use.lastSeenAt) : null
        return { method, path, state, calls: use?.calls ?? 0, lastSeenAt, replacement }
      },
      columns: COLUMNS,
    })
  },
})
