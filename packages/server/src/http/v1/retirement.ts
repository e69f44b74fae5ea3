import { EXAMPLE } from '@portico/wire/example-ids'
import type { RangeQuery } from '@portico/wire/v1/query'
import { AppError } from '../../kernel/errors.ts'
import { toSeconds } from '../../kernel/clock.ts'
import type { V1Endpoint } from '../../domain/v1-lifecycle/catalogue.ts'
import {
  type Retirement,
  getRetirement,
  type EndpointLifecycle,
} from '../../domain/v1-lifecycle/lifecycle.ts'
import type { Call } from '../pipeline/call.ts'
import { requireSite } from '../pipeline/gates.ts'
import type { HeaderList } from '../pipeline/reply.ts'
import type { Gate } from '../pipeline/route.ts'
import type { V1Route, V1Target, V1Call } from './route.ts'
import { findSubject } from './subject.ts'
import { listEnvironmentMetrics, listUtilities } from './metrics.ts'

/** The page of this server about the retirement of version 1. */
export const DEPRECATION_PAGE = '/deprecations'

/** Adds the lifecycle headers of the endpoint; 410 after its sunset and during a blackout. */
export const retirement = (endpoint: V1Endpoint, route: V1Route): Gate => ({
  async pass(call, { addresses, clock, lifecycle }) {
    const now = clock.now()
    const life = await lifecycle.find(endpoint)
    const successors = findSuccessors(call, endpoint, route, now, addresses.baseUrl)
    addHeaders(call.replyHeaders, life, successors, `${addresses.publicUrl}${DEPRECATION_PAGE}`)
    const gone = getRetirement(life, now)
    return gone && goneError(endpoint, gone, successors, addresses.baseUrl, now)
  },
})

/** Empty for an invalid identifier, which the handler will report. */
function findSuccessors(
  call: Call,
  endpoint: V1Endpoint,
  route: V1Route,
  now: number,
  baseUrl: string,
): string[] {
  if (endpoint.replacement === null) return []
  const model = requireSite(call)
  try {
    const found = findSubject(call.params, endpoint.subject, model)
    const query = call.query as RangeQuery
    return listSuccessors(endpoint, route, found, { model, now, query }, baseUrl)
  } catch (error) {
    if (error instanceof AppError) return []
    throw error
  }
}

function addHeaders(
  headers: HeaderList,
  { deprecatedAt, sunsetAt }: EndpointLifecycle,
  successors: readonly string[],
  page: string,
): void {
  const links = successors.map((address) => `<${address}>; rel="successor-version"`)
  if (deprecatedAt !== null) {
    // RFC 9745: a sunset is never before the deprecation.
    const since = Math.min(deprecatedAt, sunsetAt ?? deprecatedAt)
    headers.push('deprecation', `@${toSeconds(since)}`)
    links.unshift(`<${page}>; rel="deprecation"; type="text/html"`)
  }
  if (sunsetAt !== null) headers.push('sunset', new Date(sunsetAt).toUTCString())
  if (links.length > 0) headers.push('link', links.join(', '))
}

function goneError(
  endpoint: V1Endpoint,
  gone: Retirement,
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

/** The error after the sunset of the endpoint, for the API description. */
export function toExampleGone(endpoint: V1Endpoint): AppError {
  const { replacement } = endpoint
  const baseUrl = 'https://api.example.com/v2'
  const successors =
    replacement === null ? [] : [`${baseUrl}${fillPath(replacement, EXAMPLE.spaceUuid, 'electricity')}`]
  const sunset = Date.UTC(2027, 2, 31)
  return goneError(endpoint, { reason: 'sunset', since: sunset }, successors, baseUrl, sunset)
}

const fillPath = (replacement: string, spaceUuid: string, metric: string): string =>
  replacement.replace('{spaceuuid}', spaceUuid).replace('{metrictype}', metric)

function replacementText(
  { replacement, state }: V1Endpoint,
  successors: readonly string[],
  baseUrl: string,
): string {
  if (replacement !== null) return `use GET ${successors.join(' or GET ') || `${baseUrl}${replacement}`}`
  return state === 'awaiting-v2' ? 'there is no replacement yet' : 'there is no replacement'
}

type SuccessorRequest = Pick<V1Call, 'model' | 'now' | 'query'>

/** Version 2 addresses that return the data of this request, one for each metric that the space measures. */
function listSuccessors(
  { replacement, metrics }: V1Endpoint,
  { successorQuery, when }: V1Route,
  found: V1Target,
  requested: SuccessorRequest,
  baseUrl: string,
): string[] {
  if (replacement === null || found.kind !== 'space') return []
  const { space } = found
  const names = {
    none: [''],
    utilities: listUtilities(requested.model, space, when),
    environment: listEnvironmentMetrics(requested.model, space, when),
    performance: ['performance'],
  }[metrics]
  const query = new URLSearchParams(successorQuery(requested)).toString()
  return names.map((metric) => {
    const path = fillPath(replacement, space.spaceUuid, metric)
    return `${baseUrl}${path}${query === '' ? '' : `?${query}`}`
  })
}
