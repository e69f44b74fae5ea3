import { Type } from 'typebox'
import { producesReadings, READINGS_DESCRIPTION, readingsQuery } from '../../export/query.ts'
import { exportReply, type ExportServices } from '../../export/reply.ts'
import { role } from '../../pipeline/gates.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { namedNotFound } from '../aggregate/batch-parameters.ts'
import { SITE_GATES } from '../surface.ts'

export const exportReadings = defineRoute({
  method: 'GET',
  path: '/export/readings',
  operationId: 'exportReadings',
  summary: 'Export the readings of devices',
  description: `${READINGS_DESCRIPTION} Costs 10.`,
  tags: ['Export'],
  gates: [...SITE_GATES, role('Devices.Read')],
  query: Type.Object(readingsQuery, { additionalProperties: false }),
  produces: producesReadings,
  errors: ['forbidden', 'not-found', 'rate-limited'],
  exampleErrors: [namedNotFound('deviceUuids', [0], 'device')],
  handle: (call, services: ExportServices) =>
    exportReply(call, services, call.site, {
      siteUuid: call.site.site.siteUuid,
      kind: 'readings',
      query: call.query,
    }),
})
