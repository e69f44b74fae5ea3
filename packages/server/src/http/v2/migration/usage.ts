import { Page } from '@portico/wire/page'
import { V1Usage } from '@portico/wire/v2/migration'
import { isoInstant } from '../../../kernel/clock.ts'
import { anyRole } from '../../pipeline/gates.ts'
import { jsonOrCsv } from '../../pipeline/produces.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { listReply } from '../paginate.ts'
import { listQuery } from '../query.ts'
import { SITE_GATES } from '../surface.ts'
import type { Services } from '../../services.ts'

const COLUMNS = [
  'method',
  'path',
  'state',
  'calls',
  'lastSeenAt',
  'replacement',
  'deprecatedAt',
  'sunsetAt',
] as const

const toInstant = (at: number | null | undefined): string | null =>
  at === null || at === undefined ? null : isoInstant(at)

export const listOwnV1Usage = defineRoute({
  method: 'GET',
  path: '/migration/usage',
  operationId: 'listOwnV1Usage',
  summary: 'List your calls to version 1',
  description:
    'Every endpoint of version 1 with your calls to it, on all of your sites, its replacement and when it ends. Send Accept: text/csv for CSV.',
  tags: ['Migration'],
  gates: [...SITE_GATES, anyRole],
  query: listQuery({}),
  produces: jsonOrCsv('The endpoints of version 1', Page(V1Usage)),
  errors: ['forbidden', 'rate-limited'],
  async handle(call, services: Pick<Services, 'v1Usage' | 'lifecycle' | 'cursors' | 'addresses'>) {
    const [uses, lifecycles] = await Promise.all([
      services.v1Usage.listForPartner(call.caller.partnerUuid),
      services.lifecycle.list(),
    ])
    const byPath = new Map(uses.map((use) => [use.path, use]))
    return listReply(call, services, {
      name: 'v1-usage',
      items: lifecycles.map((lifecycle, index) => ({ ...lifecycle, index })),
      getKey: ({ endpoint, index }) => [String(index).padStart(3, '0'), endpoint.path],
      toWire: ({ endpoint: { method, path, state, replacement }, deprecatedAt, sunsetAt }): V1Usage => {
        const use = byPath.get(path)
        return {
          method,
          path,
          state,
          calls: use?.calls ?? 0,
          lastSeenAt: toInstant(use?.lastSeenAt),
          replacement,
          deprecatedAt: toInstant(deprecatedAt),
          sunsetAt: toInstant(sunsetAt),
        }
      },
      columns: COLUMNS,
    })
  },
})
