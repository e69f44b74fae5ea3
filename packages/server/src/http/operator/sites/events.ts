import { EventPage, EventQuery } from '@portico/wire/v2/event'
import { findStart, readPage } from '../../../domain/event/log.ts'
import { ROLES } from '../../../domain/identity/partner/partner.ts'
import { jsonAlways } from '../../pipeline/produces.ts'
import { JSON_TYPE } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { DEFAULT_EVENT_LIMIT, toEventFilter, toEventPageText } from '../../resources/event.ts'
import type { Services } from '../../services.ts'
import { OPERATOR_GATES } from '../surface.ts'
import { requireSiteInPath, SiteParams } from './site.ts'

export const listEventsOfSite = defineRoute({
  method: 'GET',
  path: '/sites/{siteUuid}/events',
  operationId: 'listEventsOfSite',
  summary: 'List the events of a site',
  description: 'Oldest first. Send nextAfter of a response as after of the next request.',
  tags: ['Sites'],
  gates: OPERATOR_GATES,
  params: SiteParams,
  query: EventQuery,
  produces: jsonAlways(200, 'The events', EventPage),
  errors: ['forbidden', 'not-found', 'events-gone'],
  async handle(call, services: Pick<Services, 'events' | 'clock' | 'siteDirectory'>) {
    const { events, clock } = services
    const { siteUuid } = (await requireSiteInPath(call, services)).site
    const { after, limit } = call.query
    const start = await findStart(events, siteUuid, after, clock.now())
    const filter = toEventFilter(call.query, ROLES)
    const page = await readPage(events, siteUuid, start, Number(limit ?? DEFAULT_EVENT_LIMIT), filter)
    return { status: 200, type: JSON_TYPE, body: toEventPageText(page) }
  },
})
