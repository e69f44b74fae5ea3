import { EventStreamQuery } from '@portico/wire/v2/event'
import { Type } from 'typebox'
import { getLastNumber, readPage, toEventText } from '../../../domain/event/log.ts'
import type { EventRecord } from '../../../domain/event/event.ts'
import type { Client } from '../../../domain/identity/partner/store.ts'
import { AppError, invalidField } from '../../../kernel/errors.ts'
import { stopwatch } from '../../../kernel/clock.ts'
import { LiveBody } from '../../pipeline/body/live-body.ts'
import { parseBearer, role, type WithCaller, type WithSite } from '../../pipeline/gates.ts'
import { eventStream } from '../../pipeline/produces.ts'
import { EVENT_STREAM_TYPE } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { toEventFilter } from '../../resources/event.ts'
import type { Services } from '../../services.ts'
import { SITE_GATES } from '../surface.ts'

const COMMENT_MS = 15_000
/** How often the caller’s token, roles and sites are checked. */
const STANDING_MS = 2_000
const EVENTS_PER_READ = 100

/** Why the server ends a stream. */
type EndReason = 'token-expired' | 'access-removed' | 'server-stopping'

type StreamServices = Pick<Services, 'events' | 'eventWatch' | 'streamSlots' | 'verifier' | 'health'>

export const streamEvents = defineRoute({
  method: 'GET',
  path: '/events/stream',
  operationId: 'streamEvents',
  summary: 'Receive the events of a site as they happen',
  description:
    'Server-sent events: id is the number, event the type and data the event. After a lost connection, Last-Event-ID continues without gaps. Ends with event: end when the token expires.',
  tags: ['Events'],
  gates: [...SITE_GATES, role('Events.Read')],
  query: EventStreamQuery,
  headers: Type.Object({
    'last-event-id': Type.Optional(
      Type.String({
        maxLength: 20,
        description: 'The number of the last event that was received; it takes precedence over after.',
        examples: ['18235'],
      }),
    ),
  }),
  produces: eventStream('The events, until the client or the server ends the stream'),
  errors: ['forbidden', 'events-gone', 'rate-limited'],
  async handle(call, services: StreamServices) {
    const { events, streamSlots } = services
    const { siteUuid } = call.site.site
    toEventFilter(call.query, call.caller.roles)
    const given = readStart(call.headers['last-event-id'], call.query.after)
    const start = given ?? (await getLastNumber(events, siteUuid))
    // Fails before the stream begins if events are gone.
    await readPage(events, siteUuid, start, 1, {})
    const free = streamSlots.acquire(`${call.caller.partnerUuid} ${siteUuid}`)
    if (!free)
      throw new AppError('rate-limited', 'Too many event streams are open.', { retryAfterSeconds: 30 })
    return {
      status: 200,
      type: EVENT_STREAM_TYPE,
      headers: ['cache-control', 'no-store', 'x-accel-buffering', 'no'],
      body: new LiveBody(writeStream(call, services, start), free),
    }
  },
})

function readStart(
  lastEventId: string | string[] | undefined,
  after: string | undefined,
): number | undefined {
  const text = typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : after
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text))
    throw invalidField('Last-Event-ID', 'malformed', 'must be the number of an event')
  return Number(text)
}

interface StreamCall extends WithCaller, WithSite {
  readonly headers: { authorization?: string | undefined }
  readonly query: Parameters<typeof toEventFilter>[0]
}

async function* writeStream(
  { caller, site, headers, query }: StreamCall,
  { events, eventWatch, verifier, health }: StreamServices,
  start: number,
): AsyncGenerator<string> {
  const { siteUuid } = site.site
  const token = parseBearer(headers.authorization ?? '') ?? ''
  const subscription = eventWatch.subscribe(siteUuid, query.deviceUuid?.toLowerCase())
  try {
    let client: Client = caller
    let after = start
    let [writtenAt, checkedAt] = [stopwatch(), stopwatch()]
    // Sent immediately, so that the client knows that the stream has begun.
    yield ':\n\n'
    for (let isChanged = true; ; ) {
      if (!health.isReady()) return yield toEnd('server-stopping')
      if (stopwatch() - checkedAt >= STANDING_MS) {
        checkedAt = stopwatch()
        const standing = await checkStanding(verifier, token, siteUuid)
        if (typeof standing === 'string') return yield toEnd(standing)
        client = standing
      }
      if (isChanged) {
        const page = await readPage(
          events,
          siteUuid,
          after,
          EVENTS_PER_READ,
          toEventFilter(query, client.roles),
        )
        after = page.nextAfter
        if (page.events.length > 0) {
          yield page.events.map(toMessage).join('')
          writtenAt = stopwatch()
        }
        if (page.hasMore) continue
      }
      if (stopwatch() - writtenAt >= COMMENT_MS) {
        yield ':\n\n'
        writtenAt = stopwatch()
      }
      const untilCommentMs = Math.max(writtenAt + COMMENT_MS - stopwatch(), 0)
      isChanged = await subscription.next(Math.min(STANDING_MS, untilCommentMs))
    }
  } finally {
    subscription.end()
  }
}

async function checkStanding(
  verifier: Services['verifier'],
  token: string,
  siteUuid: string,
): Promise<Client | EndReason> {
  try {
    const client = await verifier.verify(token)
    return client.roles.includes('Events.Read') && client.sites.includes(siteUuid) ? client : 'access-removed'
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.code === 'token-expired' ? 'token-expired' : 'access-removed'
  }
}

const toMessage = (event: EventRecord): string =>
  `id: ${event.number}\nevent: ${event.type}\ndata: ${toEventText(event)}\n\n`

const toEnd = (reason: EndReason): string => `event: end\ndata: ${JSON.stringify({ reason })}\n\n`
