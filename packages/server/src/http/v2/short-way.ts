import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Range, readRange } from '../../telemetry/series/range.ts'
import type { SiteModel } from '../../inventory/site-model.ts'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { stopwatch } from '../../lib/clock.ts'
import { newUuid } from '../../lib/ids.ts'
import type { Zone } from '../../lib/zone.ts'
import { isMeasured, isMetricName } from '../../metric/catalogue.ts'
import type { Interval } from '../../metric/window.ts'
import type { Client } from '../../partner/store.ts'
import { noteAnswer } from '../answered.ts'
import type { RequestLimits } from '../plugins/rate-limit.ts'
import { hasBody, refuseUnfit } from '../plugins/request-context.ts'
import type { Services } from '../services.ts'
import { likesJson } from './answer.ts'
import type { EncodeRange } from './series-encoding/encode-series.ts'
import { type EncodedHead, encodeSeriesBody } from './series-encoding/series-body.ts'
import { type Content, contentFor, sendContent } from './short-answer.ts'
import { encodeSpaceHead } from './spaces/space-body.ts'

/** Whether it has answered. */
export type ShortWay = (request: IncomingMessage, response: ServerResponse) => boolean

const SPACES = '/v2/spaces/'

/** The usual form of the usual question: which series, and of when. Any other, right or wrong, is for the route. */
const WHICH = /^([0-9a-f-]{36})\/aggregate\/([a-z0-9]+)\/(hourly|daily)$/
const WHEN = /^fromDateTime=([^&]{10,40})&toDateTime=([^&]{10,40})$/

const GRANULARITIES = {
  hourly: { interval: 'PT1H', route: '/v2/spaces/:spaceuuid/aggregate/:metrictype/hourly' },
  daily: { interval: 'P1D', route: '/v2/spaces/:spaceuuid/aggregate/:metrictype/daily' },
} as const

const BEARER = 'Bearer '

/** Of a zone and interval some two megabytes. */
const MAX_RANGES = 2_000
const REMEMBERED_MS = 31 * 86_400_000

/** A series of a space, of whatever range: found by what a URL says of it. */
interface Asked {
  route: string
  interval: Interval
  ranges: BoundedMap<string, Range>
  head: EncodedHead
  encode: EncodeRange
}

/**
 * Reads of a space's series whose answer is there without waiting, answered without the framework, which takes twice as long as
 * everything done here. Whatever is unusual, refused or missing is left alone, to be judged by the route: what is answered
 * here, the route would answer to the byte.
 */
export function createShortWay(services: Services, limits: RequestLimits): ShortWay {
  const { clock, health, verifier, siteDirectory, seriesEncoder, unreadBytes } = services

  const callerOf = ({ authorization }: IncomingMessage['headers']): Client | undefined => {
    if (!authorization?.startsWith(BEARER)) return undefined
    const caller = verifier.verifyAtOnce(authorization.slice(BEARER.length))
    return caller?.roles.includes('Spaces.Read') ? caller : undefined
  }

  const ranges = new Map<string, BoundedMap<string, Range>>()

  const rangesOf = (zone: Zone, interval: Interval): BoundedMap<string, Range> => {
    const key = `${zone.name} ${interval}`
    let known = ranges.get(key)
    if (!known) ranges.set(key, (known = new BoundedMap(MAX_RANGES)))
    return known
  }

  /** A range that is over is the same whenever it is asked for; those of long ago seldom are, but by who polls. */
  const rangeOf = ({ zone }: SiteModel, asked: Asked, when: string, isPolled: boolean): Range | undefined => {
    const found = asked.ranges.get(when)
    if (found) return found
    const [, from, to] = WHEN.exec(when) ?? []
    if (from === undefined || to === undefined) return undefined
    const now = clock.now()
    const range = readRange({ fromDateTime: timeOf(from), toDateTime: timeOf(to) }, asked.interval, zone, now)
    if (range.to <= now && (isPolled || range.to > now - REMEMBERED_MS)) asked.ranges.set(when, range)
    return range
  }

  const readAsked = (model: SiteModel, which: string): Asked | undefined => {
    const [, spaceUuid = '', metric = '', granularity] = WHICH.exec(which) ?? []
    const space = model.spaces.get(spaceUuid)
    if (!space || !isMetricName(metric) || !isMeasured(metric)) return undefined
    const named = granularity === 'hourly' ? 'hourly' : 'daily'
    const { interval, route } = GRANULARITIES[named]
    const query = { model, space, metric, interval, scope: 'space' } as const
    return {
      route,
      interval,
      ranges: rangesOf(model.zone, interval),
      head: encodeSpaceHead({ ...query, granularity: named }),
      encode: seriesEncoder.space(query),
    }
  }

  /** No more than a site has spaces and metrics; another model is another site. */
  const known = new WeakMap<SiteModel, Map<string, Asked>>()

  const askedOf = (model: SiteModel, which: string): Asked | undefined => {
    let ofSite = known.get(model)
    if (!ofSite) known.set(model, (ofSite = new Map()))
    let asked = ofSite.get(which)
    if (!asked) {
      asked = readAsked(model, which)
      if (asked) ofSite.set(which, asked)
    }
    return asked
  }

  /** What there is to send: a body and its ETag, or an ETag that the caller has already. */
  const contentOf = (
    { zone }: SiteModel,
    { head, encode }: Asked,
    range: Range,
    headers: IncomingMessage['headers'],
  ): Content | undefined => {
    const ifNoneMatch = headers['if-none-match']
    const series = encode(range.edges, ifNoneMatch !== undefined)
    if (series instanceof Promise) {
      // The route meets the same error and reports it.
      series.catch(() => {})
      return undefined
    }
    return contentFor(encodeSeriesBody(head, zone, range, series), headers['accept-encoding'], ifNoneMatch)
  }

  const answer: ShortWay = (request, response) => {
    const { method, url = '', headers } = request
    if (method !== 'GET' || !isPlain(headers)) return false
    if (!url.startsWith(SPACES) || health.reasons().length > 0) return false
    const startedAt = stopwatch()
    refuseUnfit(request)
    const caller = callerOf(headers)
    const siteUuid = headers['siteid']
    if (!caller || !unreadBytes.hasRoom(caller.partnerUuid)) return false
    if (typeof siteUuid !== 'string' || !caller.sites.includes(siteUuid)) return false
    const model = siteDirectory.findAtOnce(siteUuid)
    const end = url.indexOf('?')
    const asked = model && askedOf(model, url.slice(SPACES.length, end))
    const ifNoneMatch = headers['if-none-match']
    const range = asked && rangeOf(model, asked, url.slice(end + 1), ifNoneMatch !== undefined)
    // The running window is computed from readings, for which the route waits.
    if (range && range.to > clock.now()) return false
    // Before the body is built: a caller that has exceeded its limits gets none.
    const counted = range && limits.countAtOnce(caller, `${caller.partnerUuid} ${siteUuid}`)
    if (!counted) return false

    const requestId = newUuid()
    let status: number | undefined
    try {
      const content = contentOf(model, asked, range, headers)
      if (content) status = sendContent(response, requestId, content, ifNoneMatch, counted)
    } finally {
      // Undone here because the route counts the request again.
      if (status === undefined) counted.cancel()
    }
    if (status === undefined) return false
    unreadBytes.hold(caller.partnerUuid, response)
    noteAnswer(services, {
      requestId,
      method,
      route: asked.route,
      path: url.slice(0, end),
      status,
      ms: stopwatch() - startedAt,
      address: request.socket.remoteAddress ?? '',
      clientId: caller.clientId,
    })
    return true
  }

  return (request, response) => {
    try {
      return answer(request, response)
    } catch (error) {
      if (response.headersSent) throw error
      // The route meets it again, and says what it is.
      return false
    }
  }
}

/** Nothing in them that asks for another answer than JSON, or that says more than this looks at. */
const isPlain = (headers: IncomingMessage['headers']): boolean =>
  likesJson(headers.accept) &&
  headers['x-forwarded-for'] === undefined &&
  headers.expect === undefined &&
  !hasBody({ headers })

/** As the query's parser reads it; a + that it would make a space is a + to who reads times. */
const timeOf = (text: string): string => (text.includes('%') ? decodeURIComponent(text) : text)
