import { Page, PageQuery } from '@portico/wire/page'
import { OperatorSite } from '@portico/wire/operator/site'
import { Type } from 'typebox'
import { pageReply, readPageQuery, toPage } from '../../pipeline/page-query.ts'
import { jsonAlways } from '../../pipeline/produces.ts'
import { defineRoute } from '../../pipeline/route.ts'
import type { Services } from '../../services.ts'
import { toWireOperatorSite } from '../health/convert.ts'
import { textFilter } from '../list-query.ts'
import { OPERATOR_GATES } from '../surface.ts'

const SiteQuery = Type.Object(
  {
    ...PageQuery.properties,
    search: textFilter('Only sites with this text in their name, in any case, or with this UUID.', 'aldgate'),
  },
  { additionalProperties: false },
)

export const listAllSites = defineRoute({
  method: 'GET',
  path: '/sites',
  operationId: 'listAllSites',
  summary: 'List all sites',
  description: 'By name, with their numbers, which are at most a minute old.',
  tags: ['Sites'],
  gates: OPERATOR_GATES,
  query: SiteQuery,
  produces: jsonAlways(200, 'One page of sites', Page(OperatorSite)),
  errors: ['forbidden'],
  async handle(call, services: Pick<Services, 'sites' | 'cursors' | 'addresses' | 'summary'>) {
    const { search } = call.query
    const scope = `operator/sites ${call.caller.partnerUuid} ${JSON.stringify([search])}`
    const { limit, position } = readPageQuery(call.query, services, scope)
    const [siteUuid, siteName] = position === undefined ? [] : (JSON.parse(position) as [string, string])
    const after = siteUuid === undefined || siteName === undefined ? undefined : { siteUuid, siteName }
    const sites = await services.sites.listAll({ after, limit: limit + 1, search })
    const bySite = await services.summary.loadSites(sites.map((site) => site.siteUuid))
    return pageReply(
      call,
      services,
      toPage(
        sites,
        limit,
        (site) => toWireOperatorSite(site, bySite.get(site.siteUuid)),
        (site) => services.cursors.encode(scope, JSON.stringify([site.siteUuid, site.siteName])),
      ),
      limit,
    )
  },
})
