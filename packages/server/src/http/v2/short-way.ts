import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Range, readRange } from '../../aggregate/range.ts'
import type { TextAtOnce } from '../../aggregate/series-texts.ts'
import type { SiteModel } from '../../inventory/site-model.ts'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { stopwatch } from '../../lib/clock.ts'
import { newUuid } from '../../lib/ids.ts'
import type { Zone } from '../../lib/zone.ts'
import { isMetricName } from '../../metric/catalogue.ts'
import type { Interval } from '../../metric/window.ts'
import type { Client } from '../../partner/store.ts'
import { noteAnswer } from '../answered.ts'
import type { CountedAtOnce, RequestLimits } from '../plugins/rate-limit.ts'
import { CACHE_CONTROL, etagOf, isKnown, VARY } from '../plugins/representation.ts'
import { hasBody, refuseUnfit } from '../plugins/request-context.ts'
import type { Services } from '../services.ts'
import { type Asked, spaceBody } from './spaces/space-body.ts'

/** Whether it has answered. */
export type ShortWay = (request: IncomingMessage, response: ServerResponse) => boolean

const SPACES = '/v2/spaces/'
const ROUTE = '/v2/spaces/:spaceuuid/aggregate/:metrictype/'

/** The usual form of the usual question. Any other, right or wrong, is for the route. */
const QUESTION =
  /^\/v2\/spaces\/([0-9a-f-]{36})\/aggregate\/([a-z0-9]+)\/((hourly|daily)\?fromDateTime=([^&]{10,40})&toDateTime=([^&]{10,40}))$/

const BEARER = 'Bearer '

/** Of a zone some two megabytes, and some ten in all. */
const MAX_RANGES = 2_000
const MAX_QUESTIONS = 10_000
const REMEMBERED_MS = 31 * 86_400_000

interface Question {
  asked: Asked
  text: TextAtOnce
}

interface Content {
  etag: string
  /** A letter for each byte; undefined for who has it already. */
  body?: string
}

/**
 * Reads of a space's series whose answer is there without waiting, answered without the framework, which takes twice as long as
 * everything done here. Whatever is unusual, refused or missing is left alone, to be judged by the route: what is answered
 * here, the route would answer to the byte.
 */
export function createShortWay(services: Services, limits: RequestLimits): ShortWay {
  const { clock, health, verifier, siteDirectory, seriesTexts } = services

  const callerOf = ({ authorization }: IncomingMessage['headers']): Client | undefined => {
    if (!authorization?.startsWith(BEARER)) return undefined
    const caller = verifier.verifyAtOnce(authorization.slice(BEARER.length))
    return caller?.roles.includes('Spaces.Read') ? caller : undefined
  }

  /** A range that is over is the same whenever it is asked for; those of long ago seldom are. */
  const ranges = new Map<Zone, BoundedMap<string, Range>>()

  const rangeOf = (zone: Zone, interval: Interval, when: string, from: string, to: string): Range => {
    let known = ranges.get(zone)
    if (!known) ranges.set(zone, (known = new BoundedMap(MAX_RANGES)))
    const found = known.get(when)
    if (found) return found
    const now = clock.now()
    const range = readRange({ fromDateTime: timeOf(from), toDateTime: timeOf(to) }, interval, zone, now)
    if (range.to <= now && range.to > now - REMEMBERED_MS) known.set(when, range)
    return range
  }

  const readQuestion = (model: SiteModel, url: string): Question | undefined => {
    const [, spaceUuid = '', metric = '', when = '', granularity, from = '', to = ''] =
      QUESTION.exec(url) ?? []
    const space = model.spaces.get(spaceUuid)
    if (!space || !isMetricName(metric)) return undefined
    const isHourly = granularity === 'hourly'
    const interval = isHourly ? 'PT1H' : 'P1D'
    const range = rangeOf(model.zone, interval, when, from, to)
    const text = seriesTexts.spacesAtOnce(model, [space], metric, interval, range.edges)
    const named = isHourly ? 'hourly' : 'daily'
    return (
      text && { asked: { model, space, metric, interval, granularity: named, scope: 'space', range }, text }
    )
  }

  /** Of who polls: read once, while its site stays as it is. */
  const questions = new BoundedMap<string, Question>(MAX_QUESTIONS)

  const questionOf = (model: SiteModel, url: string, isPolled: boolean): Question | undefined => {
    if (!isPolled) return readQuestion(model, url)
    const known = questions.get(url)
    if (known?.asked.model === model) return known
    const question = readQuestion(model, url)
    if (question && question.asked.range.to <= clock.now()) questions.set(url, question)
    return question
  }

  /** What there is to send: a body and its ETag, or an ETag that the caller has already. */
  const contentOf = ({ asked, text }: Question, ifNoneMatch: string | undefined): Content | undefined => {
    const series = text(ifNoneMatch !== undefined)
    if (!series) return undefined
    const { digest, writeBytes } = spaceBody(asked, series)
    const etag = etagOf(digest, 'identity')
    return isKnown(ifNoneMatch, etag) ? { etag } : { etag, body: writeBytes() }
  }

  const answer: ShortWay = (request, response) => {
    const { method, url = '', headers } = request
    if (method !== 'GET' || !isPlain(headers)) return false
    if (!url.startsWith(SPACES) || health.reasons().length > 0) return false
    const startedAt = stopwatch()
    refuseUnfit(request)
    const caller = callerOf(headers)
    const siteUuid = headers['siteid']
    if (!caller || typeof siteUuid !== 'string' || !caller.sites.includes(siteUuid)) return false
    const model = siteDirectory.findAtOnce(siteUuid)
    const ifNoneMatch = headers['if-none-match']
    const question = model && questionOf(model, url, ifNoneMatch !== undefined)
    const content = question && contentOf(question, ifNoneMatch)
    const counted = content && limits.countAtOnce(caller, `${caller.partnerUuid} ${siteUuid}`)
    if (!content || !counted) return false

    const requestId = newUuid()
    const status = send(response, requestId, content, counted)
    noteAnswer(services, {
      requestId,
      method,
      route: `${ROUTE}${question.asked.granularity}`,
      path: url.slice(0, url.indexOf('?')),
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

/** Nothing in them that asks for another answer than plain JSON, or that says more than this looks at. */
const isPlain = (headers: IncomingMessage['headers']): boolean =>
  (headers.accept === undefined || headers.accept === '*/*' || headers.accept === 'application/json') &&
  (headers['accept-encoding'] === undefined || headers['accept-encoding'] === 'identity') &&
  headers['x-forwarded-for'] === undefined &&
  headers.expect === undefined &&
  !hasBody({ headers })

/** As the query's parser reads it; a + that it would make a space is a + to who reads times. */
const timeOf = (text: string): string => (text.includes('%') ? decodeURIComponent(text) : text)

/** Answers the status. */
function send(
  response: ServerResponse,
  requestId: string,
  { etag, body }: Content,
  counted: CountedAtOnce,
): number {
  const limits = body === undefined ? counted.giveBack() : counted.headers()
  // A list takes half the time of an object.
  const headers: (string | number)[] = [
    'x-request-id',
    requestId,
    'api-version',
    '2',
    'vary',
    VARY,
    'etag',
    etag,
    'cache-control',
    CACHE_CONTROL,
  ]
  for (const [name, value] of Object.entries(limits)) if (value !== undefined) headers.push(name, value)
  if (body === undefined) {
    response.writeHead(304, headers).end()
    return 304
  }
  headers.push('content-type', 'application/json; charset=utf-8', 'content-length', body.length)
  response.writeHead(200, headers)
  response.end(body, 'latin1')
  return 200
}
