import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { AppError } from '../../errors.ts'
import { answerBrokenRequest } from '../broken-request.ts'
import { MAX_HEADER_BYTES, MAX_URL_BYTES, REQUEST_TIMEOUT_MS } from '../limits.ts'
import { pathOf } from '../problem.ts'
import type { Services } from '../services.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is read as it comes, however long it takes. */
    isStreamed?: boolean
  }
}

/** Asked every few seconds by whatever watches the process: their lines would bury the others. */
const PROBES = ['/live', '/ready', '/metrics']

/** The request's id, and the version it was for: also on what is refused before it gets to a surface. */
export function nameAnswer(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id)
  const version = /^\/v([12])(?:[/?]|$)/.exec(request.url)?.[1]
  if (version !== undefined) reply.header('api-version', version)
}

/** Every answer names its request, every request is within the limits, and every answer leaves one line and its counts. */
export const requestContext = fp(async (app: FastifyInstance, services: Services) => {
  const { log, metrics, health } = services
  const { publicUrl } = services.addresses

  app.addHook('onRequest', (request, reply, done) => {
    nameAnswer(request, reply)
    refuseUnfit(request)
    if (hasBody(request) && !request.routeOptions.config.isStreamed) limitBodyTime(request, reply, publicUrl)
    done()
  })

  // A client that keeps its connection would hold up the stop.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (health.reasons().length > 0) reply.header('connection', 'close')
    done(null, payload)
  })

  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    const { method } = request
    metrics.requests.inc({ route, method, status: reply.statusCode })
    metrics.durations.observe({ route, method }, reply.elapsedTime / 1000)
    log[PROBES.includes(route) ? 'debug' : 'info'](
      {
        traceId: request.id,
        method,
        // Without the query: callers have been seen to put secrets there.
        path: pathOf(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        address: request.ip,
        clientId: request.caller?.clientId,
      },
      'request',
    )
    done()
  })
})

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

const bodyTimeout = (): Error & { code: string } =>
  Object.assign(new Error('The body did not arrive in time.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })

/** A body has so long to arrive. Node's own limit would also end a long delivery of readings. */
function limitBodyTime(request: FastifyRequest, reply: FastifyReply, publicUrl: string): void {
  const { raw } = request
  const timer = setTimeout(() => {
    // Who was answered before the body came has had the answer; what is left is to stop waiting.
    if (reply.raw.writableEnded) raw.socket.destroy()
    else answerBrokenRequest(bodyTimeout(), raw.socket, publicUrl)
  }, REQUEST_TIMEOUT_MS)
  raw.once('close', () => clearTimeout(timer))
}

/** What no address takes: too long, too large, or of two minds about who is asked by whom. */
function refuseUnfit(request: FastifyRequest): void {
  if (request.url.length > MAX_URL_BYTES) {
    throw new AppError('uri-too-long', `The address is longer than ${MAX_URL_BYTES} bytes.`)
  }
  let headerBytes = 0
  let authorizations = 0
  let hosts = 0
  const { rawHeaders } = request.raw
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    headerBytes += name.length + (rawHeaders[index + 1] ?? '').length + 4
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
    if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations += 1
  }
  if (headerBytes > MAX_HEADER_BYTES) {
    throw new AppError('headers-too-large', `The headers are larger than ${MAX_HEADER_BYTES} bytes.`)
  }
  if (hosts > 1 || (hosts === 0 && request.raw.httpVersion === '1.1')) {
    throw new AppError('bad-request', 'A request has one Host header.')
  }
  // Node keeps the first and a proxy may keep the last: two are one too many to be sure whose request it is.
  if (authorizations > 1)
    throw new AppError('bad-request', 'The Authorization header is sent more than once.')
}
