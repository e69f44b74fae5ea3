import { EventPage, EventQuery } from '@portico/wire/v2/event'
import { readPage, toEventText, type EventPage as Page } from '../../../domain/event/log.ts'
import { role } from '../../pipeline/gates.ts'
import { json } from '../../pipeline/produces.ts'
import { JSON_TYPE } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import type { Services } from '../../services.ts'
import { SITE_GATES } from '../surface.ts'
import { waitForChange, waitHeaders, type WaitServices } from '../wait.ts'
import { toFilter } from './filter.ts'

const DEFAULT_LIMIT = 100
/** How far back a list without `after` goes. */
const RECENT_MS = 3_600_000

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
    const filter = toFilter(call.query, call.caller.roles)
    const start =
      after === undefined ? await events.lastBefore(siteUuid, clock.now() - RECENT_MS) : Number(after)
    const load = (): Promise<Page> =>
      readPage(events, siteUuid, start, limit === undefined ? DEFAULT_LIMIT : Number(limit), filter)
    const isEmpty = (page: Page): boolean => after !== undefined && page.events.length === 0
    const waited = await waitForChange(call, services, filter.deviceUuid, load, isEmpty)
    return (
      waited && {
        status: 200,
        type: JSON_TYPE,
        headers: waited.headers,
        body: toText(waited.value),
      }
    )
  },
})

const toText = ({ events, nextAfter, hasMore }: Page): string =>
  `{"data":[${events.map(toEventText).join()}],"pagination":${JSON.stringify({ nextAfter, hasMore })}}`
