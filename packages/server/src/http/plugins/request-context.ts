import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { AppError } from '../../errors.ts'
import { NO_ROUTE } from '../../metrics.ts'
import { noteAnswer } from '../answered.ts'
import { answerBrokenRequest } from '../broken-request.ts'
import { MAX_HEADER_BYTES, MAX_URL_BYTES, REQUEST_TIMEOUT_MS } from '../limits.ts'
import { pathOf } from '../problem.ts'
import { securityHeaders } from '../security-headers.ts'
import type { Services } from '../services.ts'

/** Sets the headers of every response, even if the request fails before it reaches a surface: security headers, request id, API version. */
export function nameAnswer(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(securityHeaders(request.raw.socket)).header('x-request-id', request.id)
  const version = /^\/v([12])(?:[/?]|$)/.exec(request.url)?.[1]
  if (version !== undefined) reply.header('api-version', version)
}

/** Every answer names its request, every request is within the limits, and every answer leaves one line and its counts. */
export const requestContext = fp(async (app: FastifyInstance, services: Services) => {
  const { health } = services
  const { publicUrl } = services.addresses

  app.addHook('onRequest', (request, reply, done) => {
    nameAnswer(request, reply)
    refuseUnfit(request.raw)
    if (hasBody(request)) setImmediate(() => limitBodyTime(request, reply, publicUrl))
    done()
  })

  // A client that keeps its connection would hold up the stop.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (health.reasons().length > 0) reply.header('connection', 'close')
    done(null, payload)
  })

  app.addHook('onResponse', (request, reply, done) => {
    noteAnswer(services, {
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? NO_ROUTE,
      path: pathOf(request.url),
      status: reply.statusCode,
      ms: reply.elapsedTime,
      address: request.ip,
      clientId: request.caller?.clientId,
    })
    done()
  })
})

export const hasBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

const bodyTimeout = (): Error & { code: string } =>
  Object.assign(new Error('The body did not arrive in time.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })

/** Requests whose body may take any time, because the caller is authorised. */
const unlimited = new WeakSet<FastifyRequest>()
const bodyTimers = new WeakMap<FastifyRequest, NodeJS.Timeout>()

/** Lifts the time limit for a body that is read as a stream of any length. Call it once the caller is authorised. */
export function liftBodyTimeLimit(request: FastifyRequest): void {
  unlimited.add(request)
  clearTimeout(bodyTimers.get(request))
}

/** A body has so long to arrive. Node's own limit would also end a long delivery of readings. */
function limitBodyTime(request: FastifyRequest, reply: FastifyReply, publicUrl: string): void {
  const { raw } = request
  // Most bodies come with their headers, before anybody has looked.
  if (raw.complete || raw.destroyed || unlimited.has(request)) return
  const timer = setTimeout(() => {
    // Who was answered before the body came has had the answer; what is left is to stop waiting.
    if (reply.raw.writableEnded) raw.socket.destroy()
    else answerBrokenRequest(bodyTimeout(), raw.socket, publicUrl)
  }, REQUEST_TIMEOUT_MS)
  bodyTimers.set(request, timer)
  raw.once('close', () => clearTimeout(timer))
}

/** What no address takes: too long, too large, or of two minds about who is asked by whom. */
export function refuseUnfit({ url = '', rawHeaders, httpVersion }: IncomingMessage): void {
  if (url.length > MAX_URL_BYTES) {
    throw new AppError('uri-too-long', `The address is longer than ${MAX_URL_BYTES} bytes.`)
  }
  let headerBytes = 0
  let authorizations = 0
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    headerBytes += name.length + (rawHeaders[index + 1] ?? '').length + 4
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
    if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations += 1
  }
  if (headerBytes > MAX_HEADER_BYTES) {
    throw new AppError('headers-too-large', `The headers are larger than ${MAX_HEADER_BYTES} bytes.`)
  }
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) {
    throw new AppError('bad-request', 'A request has one Host header.')
  }
  // Node keeps the first and a proxy may keep the last: two are one too many to be sure whose request it is.
  if (authorizations > 1)
    throw new AppError('bad-request', 'The Authorization header is sent more than once.')
}
