import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { stopwatch } from '../../lib/clock.ts'
import { newUuid } from '../../lib/ids.ts'
import { waitOf } from '../../limit/limits.ts'
import { findSecret, isLive } from '../../partner/secret.ts'
import { noteAnswer } from '../answered.ts'
import { MAX_TOKEN_BODY_BYTES } from '../limits.ts'
import { refuseUnfit } from '../plugins/request-context.ts'
import { securityHeaderList } from '../security-headers.ts'
import type { Services } from '../services.ts'
import { handOut } from './hand-out.ts'
import { NEVER_STORED, TOKEN_PATH } from './token.ts'
import { useOfToken } from './token-limits.ts'
import { readTokenRequest, requireOwnScope } from './token-request.ts'

/** Whether it sees to the request: it answers, or gives it to the route as it came. */
export type TokenShortWay = (
  request: IncomingMessage,
  response: ServerResponse,
  route: RequestListener,
) => boolean

const FORM_TYPE = /^application\/x-www-form-urlencoded(?:; ?charset=utf-8)?$/i

/** A list takes half the time of an object. */
const HEADERS = Object.entries({ ...NEVER_STORED, 'content-type': 'application/json; charset=utf-8' }).flat()

/**
 * Tokens for right requests in their usual form, answered without the framework, which takes longer than signing. It refuses
 * nobody: whatever is unusual, wrong or too much is for the route, which judges it from the start.
 */
export function createTokenShortWay(services: Services): TokenShortWay {
  const { tenant, isIssuer, isRateLimited, clock, health, directory, keys, limits } = services
  const path = `/${tenant}${TOKEN_PATH}`

  /** Whether it is within the limit: what is not, is not counted. */
  const countAtOnce = (clientId: string): boolean => {
    if (!isRateLimited) return true
    const verdicts = limits.atOnce?.take(useOfToken(clientId))
    return verdicts !== undefined && waitOf(verdicts) === undefined
  }

  /** The body with a token; undefined where there is something to wait for or to refuse. */
  const bodyFor = (request: IncomingMessage, bytes: Buffer): string | undefined => {
    refuseUnfit(request)
    const { clientId, secret: value, scope } = readTokenRequest({ headers: request.headers, body: bytes })
    const client = directory.findAtOnce(clientId)
    const key = keys.currentAtOnce()
    if (!client?.enabled || !key) return undefined
    const secret = findSecret(client.secrets, value)
    if (!secret || !isLive(secret, clock.now())) return undefined
    requireOwnScope(scope, client)
    return countAtOnce(client.clientId) ? handOut(services, client, secret.secretId, key) : undefined
  }

  const tryBodyFor: typeof bodyFor = (request, bytes) => {
    try {
      return bodyFor(request, bytes)
    } catch {
      // The route meets it again, and says what it is.
      return undefined
    }
  }

  const answer = (request: IncomingMessage, response: ServerResponse, startedAt: number): boolean => {
    const isThere = request.readableLength === Number(request.headers['content-length'])
    if (!isThere || health.reasons().length > 0) return false
    const bytes: Buffer | null = request.read()
    if (!bytes) return false
    const body = tryBodyFor(request, bytes)
    if (body === undefined) {
      request.unshift(bytes)
      return false
    }
    const requestId = newUuid()
    send(request, response, requestId, body)
    noteAnswer(services, {
      requestId,
      method: 'POST',
      route: path,
      path,
      status: 200,
      ms: stopwatch() - startedAt,
      address: request.socket.remoteAddress ?? '',
      clientId: undefined,
    })
    return true
  }

  return (request, response, route) => {
    if (!isIssuer || request.url !== path || request.method !== 'POST' || !isPlain(request.headers))
      return false
    const startedAt = stopwatch()
    // By then Node has read what came with the headers: of most requests, the body.
    process.nextTick(() => {
      if (!answer(request, response, startedAt)) route(request, response)
    })
    return true
  }
}

/** A form of a size that is known and allowed, from a caller who asks for nothing else. */
const isPlain = (headers: IncomingMessage['headers']): boolean =>
  FORM_TYPE.test(headers['content-type'] ?? '') &&
  Number(headers['content-length']) <= MAX_TOKEN_BODY_BYTES &&
  headers['x-forwarded-for'] === undefined &&
  headers.expect === undefined

function send(request: IncomingMessage, response: ServerResponse, requestId: string, body: string): void {
  const headers = [
    ...securityHeaderList(request.socket),
    'x-request-id',
    requestId,
    ...HEADERS,
    'content-length',
    String(body.length),
  ]
  response.writeHead(200, headers)
  // All of it is ASCII.
  response.end(body, 'latin1')
}
