import { Page } from '@portico/wire/page'
import { Site as WireSite } from '@portico/wire/v2/site'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Site } from '../../../site/site.ts'
import { callerOf } from '../../plugins/bearer-auth.ts'
import { responses } from '../../responses.ts'
import type { Services } from '../../services.ts'

const schema = {
  operationId: 'listSites',
  summary: 'List the sites granted to you',
  description: 'Needs no SiteId: this is where to find it.',
  tags: ['Sites'],
  querystring: Type.Object({}, { additionalProperties: false }),
  response: responses(200, 'The sites, by name', Page(WireSite)),
}

export function listSites(app: FastifyInstance, { sites }: Services): void {
  app.get('/sites', { schema }, async (request) => ({
    data: (await sites.list(callerOf(request).sites)).map(toWireSite),
    pagination: { nextCursor: null, hasMore: false },
  }))
}

const toWireSite = ({ siteUuid, siteName, timeZone, sandbox }: Site): WireSite => ({
  siteUuid,
  siteName,
  timeZone,
  sandbox,
})
