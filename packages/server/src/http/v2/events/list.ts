import { EventPage, EventQuery } from '@portico/wire/v2/event'
import { type EventPage as Page, findStart, readPage } from '../../../domain/event/log.ts'
import { role } from '../../pipeline/gates.ts'
import { json } from '../../pipeline/produces.ts'
import { JSON_TYPE } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { DEFAULT_EVENT_LIMIT, toEventFilter, toEventPageText } from '../../resources/event.ts'
import type { Services } from '../../services.ts'
import { SITE_GATES } from '../surface.ts'
import { waitForChange, waitHeaders, type WaitServices } from '../wait.ts'

export const listEvents = defineRoute({
  method: 'GET',
  path: '/events',
  operationId: 'listEvents',
  summary: 'List the events of a site',
  description:
    'Oldest first. Send nextAfter of a response as after of the next request: no event is missed. With Prefer: wait=N, waits until there is an event after that number.',
  tags: ['Events'],
  gates: [...SITE_GATES, role('Events.Read')],
  query: EventQuery,
  headers: waitHeaders('with after'),
  produces: json('The events', EventPage),
  errors: ['forbidden', 'events-gone', 'rate-limited'],
  async handle(call, services: Pick<Services, 'events' | 'clock'> & WaitServices) {
    const { events, clock } = services
    const { siteUuid } = call.site.site
    const { after, limit } = call.query
    const filter = toEventFilter(call.query, call.caller.roles)
    const start = await findStart(events, siteUuid, after, clock.now())
    const load = (): Promise<Page> =>
      readPage(events, siteUuid, start, Number(limit ?? DEFAULT_EVENT_LIMIT), filter)
    const isEmpty = (page: Page): boolean => after !== undefined && page.events.length === 0
    const waited = await waitForChange(call, services, filter.deviceUuid, load, isEmpty)
    return (
      waited && {
        status: 200,
        type: JSON_TYPE,
        headers: waited.headers,
        body: toEventPageText(waited.value),
      }
    )
  },
})
