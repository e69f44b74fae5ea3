import { Type } from 'typebox'
import { producesReadings, READINGS_DESCRIPTION, readingsQuery } from '../../export/query.ts'
import { exportReply, type ExportServices } from '../../export/reply.ts'
import { notFound } from '../../../kernel/errors.ts'
import { defineRoute } from '../../pipeline/route.ts'
import type { Services } from '../../services.ts'
import { requireSiteInPath, SiteParams } from '../sites/site.ts'
import { OPERATOR_GATES } from '../surface.ts'

export const exportReadingsOfSite = defineRoute({
  method: 'GET',
  path: '/export/readings',
  operationId: 'exportReadingsOfSite',
  summary: 'Export the readings of a site',
  description: READINGS_DESCRIPTION,
  tags: ['Readings'],
  gates: OPERATOR_GATES,
  query: Type.Object({ ...SiteParams.properties, ...readingsQuery }, { additionalProperties: false }),
  produces: producesReadings,
  errors: ['forbidden', 'not-found', 'rate-limited'],
  exampleErrors: [notFound('site')],
  async handle(call, services: ExportServices & Pick<Services, 'siteDirectory'>) {
    const site = await requireSiteInPath({ params: call.query }, services)
    return exportReply(call, services, site, {
      siteUuid: site.site.siteUuid,
      kind: 'readings',
      query: call.query,
    })
  },
})
