import { pipeline as pipeStreams, Readable, type Writable } from 'node:stream'
import { codingNotAcceptable } from './produces.ts'
import { stopwatch } from '../../kernel/clock.ts'
import { andThen, type MaybePromise } from '../../kernel/maybe-promise.ts'
import { KEEP_ALIVE_SECONDS } from './limits.ts'
import { chooseCoding, type Coding } from './negotiate.ts'
import { addRateLimitHeaders } from './rate-limit.ts'
import { securityHeaderList } from './security-headers.ts'
import { FetchedBody, FetchedStream } from './body/fetched-body.ts'
import { FreeingSink } from './body/freeing-sink.ts'
import { LiveBody } from './body/live-body.ts'
import { StreamedBody } from './body/streamed-body.ts'
import { compress, createCompressor, isCompressedType, isTooShortToCompress } from './compression.ts'
import { isRevalidation, matchesIfNoneMatch, toDigest, toEtag } from './conditional-get.ts'
import { recordResponse } from './record-response.ts'
import type { DeferredBody, HeaderList, Reply } from './reply.ts'
import type { RoutedCall, RouteServices } from './route.ts'

const VARY = 'Accept, Accept-Encoding, SiteId, Authorization'
const CACHE_CONTROL = 'private, no-cache'
const KEEP_ALIVE = `timeout=${KEEP_ALIVE_SECONDS}`

/** Sends every response and every error. */
export interface ResponseWriter {
  write(call: RoutedCall, reply: Reply): MaybePromise<void>
  /** Never throws. */
  writeError(call: RoutedCall, error: unknown): void
}

export function createResponseWriter(services: RouteServices): ResponseWriter {
  const { health, requestLimits, unreadBytes, log } = services

  const beginHeaders = (call: RoutedCall, { headers, type }: Pick<Reply, 'headers' | 'type'>): HeaderList => {
    const { surface } = call.route
    const list: HeaderList = securityHeaderList(call.request.socket).slice()
    list.push('x-request-id', call.id)
    if (surface.apiVersion !== undefined) list.push('api-version', surface.apiVersion)
    if (surface.isConditional) list.push('vary', VARY)
    if (call.charge) addRateLimitHeaders(list, call.charge)
    if (call.replyHeaders.length > 0) list.push(...call.replyHeaders)
    if (headers) list.push(...headers)
    if (type !== undefined) list.push('content-type', type)
    // A client that keeps its connection open would delay the shutdown.
    if (call.isLast || !health.isReady()) list.push('connection', 'close')
    else if (call.response.shouldKeepAlive) list.push('keep-alive', KEEP_ALIVE)
    return list
  }

  const record = (call: RoutedCall, status: number): void => {
    const { label, onSent } = call.route
    recordResponse(services, {
      traceId: call.id,
      method: call.method,
      route: label,
      path: call.target.path.text,
      status,
      ms: stopwatch() - call.startedAt,
      waitedMs: call.waitedMs,
      address: call.address,
      clientId: call.caller?.clientId,
    })
    if (call.caller) services.metrics.partners.count(call.caller.partnerUuid, status)
    onSent?.(call, status, services)
  }

  const end = (
    call: RoutedCall,
    status: number,
    headers: HeaderList,
    body: string | Buffer | undefined,
    encoding: 'utf8' | 'latin1' = 'utf8',
  ): void => {
    const { response } = call
    response.writeHead(status, headers)
    if (body === undefined || call.method === 'HEAD') response.end()
    else response.end(body, encoding)
    if (call.caller) unreadBytes.hold(call.caller.partnerUuid, response)
    record(call, status)
  }

  /** Sends a body unchanged, without an ETag. */
  const writePlain = (call: RoutedCall, reply: Reply, body: string | Buffer | undefined): void => {
    const headers = beginHeaders(call, reply)
    const bytes = body === undefined ? 0 : Buffer.byteLength(body)
    if (body !== undefined) headers.push('content-length', bytes)
    // Text of as many characters as bytes is ASCII, which Node writes faster as Latin-1.
    end(call, reply.status, headers, body, bytes === body?.length ? 'latin1' : 'utf8')
  }

  const writeNotModified = (
    call: RoutedCall,
    { headers: extra }: Reply,
    etag: string,
  ): MaybePromise<void> => {
    const { 'if-none-match': condition = '' } = call.headers
    const isFree = isRevalidation(condition)
    return andThen(isFree ? requestLimits.refund(call) : undefined, () => {
      const headers = beginHeaders(call, { ...(extra && { headers: extra }), type: undefined })
      headers.push('etag', etag, 'cache-control', CACHE_CONTROL)
      end(call, 304, headers, undefined)
    })
  }

  const writeWhole = (
    call: RoutedCall,
    reply: Reply,
    { etag, coding }: { etag: string; coding: Coding },
    body: string | Buffer,
    encoding?: 'latin1',
  ): void => {
    const headers = beginHeaders(call, reply)
    headers.push('etag', etag, 'cache-control', CACHE_CONTROL)
    if (coding !== 'identity') headers.push('content-encoding', coding)
    headers.push('content-length', encoding === 'latin1' ? body.length : Buffer.byteLength(body))
    end(call, 200, headers, body, encoding)
  }

  const writeConditional = (
    call: RoutedCall,
    reply: Reply,
    body: string | Buffer | DeferredBody,
  ): MaybePromise<void> => {
    const accepted = call.headers['accept-encoding']
    const ifNoneMatch = call.headers['if-none-match']
    const isDeferred = isDeferredBody(body)
    if (isDeferred && (accepted === undefined || accepted === 'identity')) {
      const etag = toEtag(body.digest, 'identity')
      if (matchesIfNoneMatch(ifNoneMatch, etag)) return writeNotModified(call, reply, etag)
      return writeWhole(call, reply, { etag, coding: 'identity' }, body.writeBytes(), 'latin1')
    }
    const text = isDeferred ? body.write() : body
    const coding = requireCoding(accepted, isTooShortToCompress(text) || isCompressedType(reply.type ?? ''))
    const etag = toEtag(isDeferred ? body.digest : toDigest(text), coding)
    if (matchesIfNoneMatch(ifNoneMatch, etag)) return writeNotModified(call, reply, etag)
    if (coding === 'identity') return writeWhole(call, reply, { etag, coding }, text)
    return andThen(compress(text, coding), (bytes) => writeWhole(call, reply, { etag, coding }, bytes))
  }

  const pipe = (call: RoutedCall, body: Readable, coding: Coding): void => {
    const { response, caller } = call
    if (caller) response.once('prefinish', () => unreadBytes.hold(caller.partnerUuid, response))
    // Also called if the client closes the connection before the last write is confirmed, which it may do after reading
    // all data.
    const onEnd = (error: Error | null | undefined): void => {
      record(call, 200)
      if (error && !isClosedByClient(error)) log.error({ traceId: call.id, err: error }, 'response failed')
    }
    const isOwner = body instanceof FetchedBody || body instanceof FetchedStream
    const toSink = (target: Writable): Writable => (isOwner ? new FreeingSink(target) : target)
    if (coding === 'identity') return void pipeStreams(body, toSink(response), onEnd)
    const compressor = createCompressor(coding)
    pipeStreams(body, toSink(compressor), () => {})
    pipeStreams(compressor, response, onEnd)
  }

  /** Sends a stream without an ETag or Content-Length, because the body is generated only once. */
  const writePlainStream = (call: RoutedCall, reply: Reply, body: StreamedBody): void => {
    const headers = beginHeaders(call, reply)
    if (call.method === 'HEAD') return end(call, reply.status, headers, undefined)
    call.response.writeHead(reply.status, headers)
    pipe(call, body, 'identity')
  }

  /**
   * Sends a body that is generated while it is sent. If it fails, the connection is closed without the last chunk, so
   * that the client does not mistake a part for the whole.
   */
  const writeGenerated = (call: RoutedCall, reply: Reply, body: Readable): void => {
    try {
      const coding = requireCoding(call.headers['accept-encoding'], isCompressedType(reply.type ?? ''))
      const headers = beginHeaders(call, reply)
      headers.push('cache-control', 'private, no-store')
      if (!call.route.surface.isConditional) headers.push('vary', 'Accept-Encoding')
      if (coding !== 'identity') headers.push('content-encoding', coding)
      if (call.method === 'HEAD') {
        body.destroy()
        return end(call, reply.status, headers, undefined)
      }
      call.response.writeHead(reply.status, headers)
      pipe(call, body, coding)
    } catch (error) {
      body.destroy()
      throw error
    }
  }

  const writeStreamed = async (call: RoutedCall, reply: Reply, body: StreamedBody): Promise<void> => {
    const { response } = call
    const coding = requireCoding(call.headers['accept-encoding'], isCompressedType(reply.type ?? ''))
    const { digest, bytes, isExact } = await body.measure()
    const etag = toEtag(digest, coding)
    if (matchesIfNoneMatch(call.headers['if-none-match'], etag)) {
      body.destroy()
      return writeNotModified(call, reply, etag)
    }
    const headers = beginHeaders(call, reply)
    headers.push('etag', etag, 'cache-control', CACHE_CONTROL)
    if (coding === 'identity' && isExact) headers.push('content-length', bytes)
    else if (coding !== 'identity') headers.push('content-encoding', coding)
    if (call.method === 'HEAD') {
      body.destroy()
      return end(call, 200, headers, undefined)
    }
    if (call.caller) unreadBytes.hold(call.caller.partnerUuid, response, bytes)
    response.writeHead(200, headers)
    pipe(call, body, coding)
  }

  /** Recorded when it begins, because the client decides how long it lasts. Its connection ends with it. */
  const writeLive = (call: RoutedCall, reply: Reply, body: LiveBody): void => {
    call.isLast = true
    const headers = beginHeaders(call, reply)
    if (call.method === 'HEAD') {
      body.destroy()
      return end(call, reply.status, headers, undefined)
    }
    call.response.writeHead(reply.status, headers)
    record(call, reply.status)
    pipeStreams(body, call.response, (error) => {
      if (error && !isClosedByClient(error)) log.error({ traceId: call.id, err: error }, 'response failed')
    })
  }

  return {
    write(call, reply) {
      const { body } = reply
      if (body instanceof LiveBody) return writeLive(call, reply, body)
      if (body instanceof Readable && !(body instanceof StreamedBody))
        return writeGenerated(call, reply, body)
      const isRead = call.method === 'GET' || call.method === 'HEAD'
      if (call.route.surface.isConditional && isRead && reply.status === 200 && body !== undefined)
        return body instanceof StreamedBody
          ? writeStreamed(call, reply, body)
          : writeConditional(call, reply, body)
      if (body instanceof StreamedBody) return writePlainStream(call, reply, body)
      return writePlain(call, reply, isDeferredBody(body) ? body.write() : body)
    },
    writeError(call, error) {
      const { response, route } = call
      try {
        if (response.headersSent) throw error
        const reply = route.surface.renderError(error, call)
        if (typeof reply.body !== 'string' && !Buffer.isBuffer(reply.body)) throw error
        writePlain(call, reply, reply.body)
      } catch (err) {
        log.error({ traceId: call.id, err }, 'response failed')
        response.destroy()
      }
    },
  }
}

const isDeferredBody = (body: Reply['body']): body is DeferredBody =>
  typeof body === 'object' && (body as Partial<DeferredBody>).writeBytes !== undefined

const isClosedByClient = (error: Error): boolean =>
  'code' in error && (error.code === 'ERR_STREAM_PREMATURE_CLOSE' || error.code === 'ECONNRESET')

function requireCoding(accepted: string | undefined, isPlain: boolean): Coding {
  const coding = chooseCoding(accepted, isPlain)
  if (coding === undefined) throw codingNotAcceptable()
  return coding
}
