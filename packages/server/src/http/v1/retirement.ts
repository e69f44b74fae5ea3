import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RangeQuery } from '@portico/wire/v1/query'
import { AppError } from '../../errors.ts'
import { secondsOf } from '../../lib/clock.ts'
import type { V1Endpoint } from '../../migration/catalogue.ts'
import { type Gone, goneAt, type Life } from '../../migration/lifecycle.ts'
import { siteOf } from '../plugins/site-scope.ts'
import type { Services } from '../services.ts'
import type { V1Route } from './route.ts'
import { findSubject } from './subject.ts'
import { successorsOf } from './successors.ts'

/** The page of this server that says what becomes of version 1. */
export const DEPRECATION_PAGE = '/deprecations'

/** Says in headers what becomes of the endpoint, and answers 410 where its time is over or an operator rehearses that. */
export function announceRetirement(
  app: FastifyInstance,
  services: Services,
  endpoint: V1Endpoint,
  route: V1Route,
): void {
  const { addresses, clock, lifecycle } = services
  app.addHook('onRequest', async (request, reply) => {
    const now = clock.now()
    const life = await lifecycle.find(endpoint)
    const successors = knownSuccessors(request, endpoint, route, now, addresses.baseUrl)
    setHeaders(reply, life, successors, `${addresses.publicUrl}${DEPRECATION_PAGE}`)
    const gone = goneAt(life, now)
    if (gone) throw goneError(endpoint, gone, successors, addresses.baseUrl, now)
  })
}

/** None for an identifier that leads nowhere: what is wrong with it is for the handler to say. */
function knownSuccessors(
  request: FastifyRequest,
  endpoint: V1Endpoint,
  route: V1Route,
  now: number,
  baseUrl: string,
): string[] {
  if (endpoint.replacement === null) return []
  const model = siteOf(request)
  try {
    const found = findSubject(request, endpoint.subject, model)
    const query = request.query as RangeQuery
    return successorsOf(endpoint, route, found, { model, now, query }, baseUrl)
  } catch (error) {
    if (error instanceof AppError) return []
    throw error
  }
}

function setHeaders(
  reply: FastifyReply,
  { deprecatedAt, sunsetAt }: Life,
  successors: readonly string[],
  page: string,
): void {
  const links = successors.map((address) => `<${address}>; rel="successor-version"`)
  if (deprecatedAt !== null) {
    // RFC 9745: a sunset is never before the deprecation.
    const since = Math.min(deprecatedAt, sunsetAt ?? deprecatedAt)
    reply.header('deprecation', `@${secondsOf(since)}`)
    links.unshift(`<${page}>; rel="deprecation"; type="text/html"`)
  }
  if (sunsetAt !== null) reply.header('sunset', new Date(sunsetAt).toUTCString())
  if (links.length > 0) reply.header('link', links.join(', '))
}

function goneError(
  endpoint: V1Endpoint,
  gone: Gone,
  successors: readonly string[],
  baseUrl: string,
  now: number,
): AppError {
  const why =
    gone.reason === 'sunset'
      ? `GET /v1${endpoint.path} was retired on ${new Date(gone.since).toISOString().slice(0, 10)}`
      : `GET /v1${endpoint.path} is switched off until ${new Date(gone.until).toISOString()} to rehearse its retirement`
  const message = `${why}; ${replacementText(endpoint, successors, baseUrl)}.`
  if (gone.reason === 'sunset') return new AppError('gone', message)
  return new AppError('gone', message, { retryAfterSeconds: Math.ceil((gone.until - now) / 1000) })
}

function replacementText(
  { replacement, state }: V1Endpoint,
  successors: readonly string[],
  baseUrl: string,
): string {
  if (replacement !== null) return `use GET ${successors.join(' or GET ') || `${baseUrl}${replacement}`}`
  return state === 'awaiting-v2' ? 'there is no replacement yet' : 'there is no replacement'
}
