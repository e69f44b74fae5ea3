import { NoQuery, Page } from '@portico/wire/page'
import { Site as WireSite } from '@portico/wire/v2/site'
import { anyRole } from '../../pipeline/gates.ts'
import { jsonOrCsv, jsonOrCsvReply } from '../../pipeline/produces.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { PARTNER_GATES } from '../surface.ts'
import type { Services } from '../../services.ts'
import { toWireSite } from '../../resources/site.ts'

const COLUMNS = ['siteUuid', 'siteName', 'timeZone', 'sandbox'] as const

export const listSites = defineRoute({
  method: 'GET',
  path: '/sites',
  operationId: 'listSites',
  summary: 'List the sites granted to you',
  description: 'Needs no SiteId header; the siteUuid of a site is its value for other requests.',
  tags: ['Sites'],
  gates: [...PARTNER_GATES, anyRole],
  query: NoQuery,
  produces: jsonOrCsv('The sites, by name', Page(WireSite)),
  errors: ['rate-limited'],
  async handle(call, { sites }: Pick<Services, 'sites'>) {
    const data = (await sites.list(call.caller.sites)).map(toWireSite)
    return jsonOrCsvReply(call, { data, pagination: { nextCursor: null, hasMore: false } }, COLUMNS, data)
  },
})
