import { about } from '@portico/wire/about'
import { EXAMPLE } from '@portico/wire/example-ids'
import { NoQuery } from '@portico/wire/page'
import { Uuid } from '@portico/wire/uuid'
import { Event } from '@portico/wire/v2/event'
import { Type } from 'typebox'
import { visibleTypes } from '../../../domain/event/event.ts'
import { toEventText } from '../../../domain/event/log.ts'
import { notFound } from '../../../kernel/errors.ts'
import { role } from '../../pipeline/gates.ts'
import { json } from '../../pipeline/produces.ts'
import { JSON_TYPE } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import type { Services } from '../../services.ts'
import { SITE_GATES } from '../surface.ts'

export const getEvent = defineRoute({
  method: 'GET',
  path: '/events/{eventUuid}',
  operationId: 'getEvent',
  summary: 'Read an event',
  description:
    'The event as in the list, as long as it is kept and your roles allow you to see events of its type.',
  tags: ['Events'],
  gates: [...SITE_GATES, role('Events.Read')],
  params: Type.Object({
    eventUuid: about(Uuid, 'The eventUuid of an event of the site, from GET /events.', EXAMPLE.eventUuid),
  }),
  query: NoQuery,
  produces: json('The event', Event),
  errors: ['forbidden', 'not-found', 'rate-limited'],
  async handle(call, { events }: Pick<Services, 'events'>) {
    const event = await events.find(call.site.site.siteUuid, call.params.eventUuid.toLowerCase())
    if (!event || !visibleTypes(call.caller.roles).includes(event.type)) throw notFound('event')
    return { status: 200, type: JSON_TYPE, body: toEventText(event) }
  },
})
