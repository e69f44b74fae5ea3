import { Page } from '@portico/wire/page'
import { V1Usage } from '@portico/wire/v2/migration'
import type { FastifyInstance } from 'fastify'
import { isoInstant } from '../../../lib/clock.ts'
import { V1_CATALOGUE } from '../../../migration/catalogue.ts'
import { callerOf } from '../../plugins/bearer-auth.ts'
import { responsesWithCsv } from '../../responses.ts'
import type { Services } from '../../services.ts'
import { sendList } from '../list-page.ts'
import { listQuery } from '../query.ts'

const schema = {
  operationId: 'listOwnV1Usage',
  summary: 'Read how much you still call version 1',
  description:
    'Every endpoint of version 1 with your calls to it, on all of your sites, and what replaces it. Accept text/csv for CSV.',
  tags: ['Migration'],
  querystring: listQuery({}),
  response: responsesWithCsv('The endpoints of version 1', Page(V1Usage), 'forbidden', 'rate-limited'),
}

const COLUMNS = ['method', 'path', 'state', 'calls', 'lastSeenAt', 'replacement'] as const

export function listOwnV1Usage(app: FastifyInstance, services: Services): void {
  app.get('/migration/usage', { schema }, async (request, reply) => {
    const uses = await services.v1Usage.ofPartner(callerOf(request).partnerUuid)
    const byPath = new Map(uses.map((use) => [use.path, use]))
    return sendList(request, reply, services, {
      name: 'v1-usage',
      items: V1_CATALOGUE.map((endpoint, index) => ({ endpoint, index })),
      keyOf: ({ endpoint, index }) => [String(index).padStart(3, '0'), endpoint.path],
      toWire: ({ endpoint: { method, path, state, replacement } }): V1Usage => {
        const use = byPath.get(path)
        const lastSeenAt = use ? isoInstant(use.lastSeenAt) : null
        return { method, path, state, calls: use?.calls ?? 0, lastSeenAt, replacement }
      },
      columns: COLUMNS,
    })
  })
}
