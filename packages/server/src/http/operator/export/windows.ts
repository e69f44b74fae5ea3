import { Type } from 'typebox'
import { producesWindows, WINDOWS_DESCRIPTION, windowsQuery } from '../../export/query.ts'
import { exportReply, type ExportServices } from '../../export/reply.ts'
import { notFound } from '../../../kernel/errors.ts'
import { defineRoute } from '../../pipeline/route.ts'
import type { Services } from '../../services.ts'
import { requireSiteInPath, SiteParams } from '../sites/site.ts'
import { OPERATOR_GATES } from '../surface.ts'

export const exportWindowsOfSite = defineRoute({
  method: 'GET',
  path: '/export/windows',
  operationId: 'exportWindowsOfSite',
  summary: 'Export the data of the spaces of a site',
  description: WINDOWS_DESCRIPTION,
  tags: ['Readings'],
  gates: OPERATOR_GATES,
  query: Type.Object({ ...SiteParams.properties, ...windowsQuery }, { additionalProperties: false }),
  produces: producesWindows,
  errors: ['forbidden', 'not-found', 'rate-limited'],
  exampleErrors: [notFound('site')],
  async handle(call, services: ExportServices & Pick<Services, 'siteDirectory'>) {
    const site = await requireSiteInPath({ params: call.query }, services)
    return exportReply(call, services, site, {
      siteUuid: site.site.siteUuid,
      kind: 'windows',
      query: call.query,
    })
  },
})
