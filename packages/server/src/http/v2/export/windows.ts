import { Type } from 'typebox'
import { producesWindows, WINDOWS_DESCRIPTION, windowsQuery } from '../../export/query.ts'
import { exportReply, type ExportServices } from '../../export/reply.ts'
import { role } from '../../pipeline/gates.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { namedNotFound } from '../aggregate/batch-parameters.ts'
import { SITE_GATES } from '../surface.ts'

export const exportWindows = defineRoute({
  method: 'GET',
  path: '/export/windows',
  operationId: 'exportWindows',
  summary: 'Export the data of spaces',
  description: `${WINDOWS_DESCRIPTION} Costs 10.`,
  tags: ['Export'],
  gates: [...SITE_GATES, role('Spaces.Read')],
  query: Type.Object(windowsQuery, { additionalProperties: false }),
  produces: producesWindows,
  errors: ['forbidden', 'not-found', 'rate-limited'],
  exampleErrors: [namedNotFound('spaceUuids', [0], 'space')],
  handle: (call, services: ExportServices) =>
    exportReply(call, services, call.site, {
      siteUuid: call.site.site.siteUuid,
      kind: 'windows',
      query: call.query,
    }),
})
