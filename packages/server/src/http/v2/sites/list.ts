import { NoQuery, Page } from '@portico/wire/page'
import { Site as WireSite } from '@portico/wire/v2/site'
import type { FastifyInstance } from 'fastify'
import { zoneOf } from '../../../lib/zone.ts'
import type { Site } from '../../../site/site.ts'
import { callerOf } from '../../plugins/bearer-auth.ts'
import { responsesWithCsv } from '../../responses.ts'
import type { Services } from '../../services.ts'
import { answer } from '../answer.ts'

const schema = {
  operationId: 'listSites',
  summary: 'List the sites granted to you',
  description: 'Needs no SiteId: this is where to find it.',
  tags: ['Sites'],
  querystring: NoQuery,
  response: responsesWithCsv('The sites, by name', Page(WireSite), 'rate-limited'),
}

const COLUMNS = ['siteUuid', 'siteName', 'timeZone', 'sandbox'] as const

export function listSites(app: FastifyInstance, { sites }: Services): void {
  app.get('/sites', { schema }, async (request, reply) => {
    const data = (await sites.list(callerOf(request).sites)).map(toWireSite)
    return answer(request, reply, { data, pagination: { nextCursor: null, hasMore: false } }, COLUMNS, data)
  })
}

const toWireSite = ({ siteUuid, siteName, timeZone, sandbox }: Site): WireSite => ({
  siteUuid,
  siteName,
  timeZone: zoneOf(timeZone).name,
  sandbox,
})
