import { hash } from 'node:crypto'
import { pipeline, type Transform } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
} from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError } from '../../errors.ts'
import { chooseCoding, type Coding } from '../negotiate.ts'
import { StreamedBody } from '../streamed-body.ts'
import type { UnreadBytes } from '../unread-bytes.ts'
import { callerOf } from './bearer-auth.ts'
import type { RequestLimits } from './rate-limit.ts'

const compressGzip = promisify(gzip)
const compressBrotli = promisify(brotliCompress)

type Body = string | Buffer

/** Below this a compressed body is hardly smaller. */
const MIN_BYTES = 1_024

export const isShort = (body: Body): boolean => body.length < MIN_BYTES

/** Pictures are compressed already, but for one kind, which is text. */
const isCompressed = (reply: FastifyReply): boolean => {
  const type = String(reply.getHeader('content-type') ?? '')
  return type.startsWith('image/') && !type.startsWith('image/svg')
}

export const VARY = 'Accept, Accept-Encoding, SiteId, Authorization'
export const CACHE_CONTROL = 'private, no-cache'

type Compressed = Exclude<Coding, 'identity'>

/** Where most is saved for the time it takes. */
const GZIP = { level: 6 }
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }

const compress: Record<Compressed, (body: Body) => Promise<Buffer>> = {
  gzip: (body) => compressGzip(body, GZIP),
  br: (body) => compressBrotli(body, BROTLI),
}

const compressNow: Record<Compressed, (body: Body) => Buffer> = {
  gzip: (body) => gzipSync(body, GZIP),
  br: (body) => brotliCompressSync(body, BROTLI),
}

const createCompressor: Record<Compressed, () => Transform> = {
  gzip: () => createGzip(GZIP),
  br: () => createBrotliCompress(BROTLI),
}

/** Going to another thread and back takes longer than compressing 5 KB; what is not much longer keeps nobody waiting. */
const MAX_AT_ONCE = 16 * 1024

export const isQuick = (body: Body): boolean => body.length <= MAX_AT_ONCE

/** For a body that is `isQuick`. */
export const encodeAtOnce = (body: Body, coding: Coding): Buffer =>
  coding === 'identity' ? Buffer.from(body) : compressNow[coding](body)

const isWhole = (payload: unknown): payload is Body => typeof payload === 'string' || Buffer.isBuffer(payload)

/** Strong ETags that differ with the coding, 304, gzip and brotli, for every good answer to a GET. */
export function representation(app: FastifyInstance, limits: RequestLimits, unreadBytes: UnreadBytes): void {
  app.addHook('onSend', async (request, reply, payload) => {
    reply.header('vary', VARY)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const isStreamed = payload instanceof StreamedBody
    if (!isRead || reply.statusCode !== 200 || !(isStreamed || isWhole(payload))) return payload
    const isPlain = (!isStreamed && isShort(payload)) || isCompressed(reply)
    const coding = chooseCoding(request.headers['accept-encoding'], isPlain)
    if (coding === undefined)
      throw new AppError('not-acceptable', 'This address answers in br, gzip or identity.')
    const measured = isStreamed
      ? await payload.measure()
      : { digest: named.get(reply) ?? digestOf(payload), bytes: undefined }
    const etag = etagOf(measured.digest, coding)
    reply.headers({ etag, 'cache-control': CACHE_CONTROL })
    if (isKnown(request.headers['if-none-match'], etag)) {
      if (isRevalidation(request.headers['if-none-match'])) await limits.giveBack(request, reply)
      reply.status(304).removeHeader('content-type').removeHeader('content-length')
      // Nothing at all, so that no length is named; of a HEAD Fastify wants something to measure.
      return request.method === 'HEAD' ? '' : null
    }
    if (isStreamed) {
      if (request.method === 'HEAD') payload.skip()
      else unreadBytes.hold(callerOf(request).partnerUuid, reply.raw, measured.bytes)
      if (coding === 'identity') reply.header('content-length', measured.bytes)
    }
    if (coding === 'identity') return payload
    reply.header('content-encoding', coding).removeHeader('content-length')
    if (isStreamed) return pipeline(payload, createCompressor[coding](), noop)
    return isQuick(payload) ? encodeAtOnce(payload, coding) : compress[coding](payload)
  })
}

/** Fastify handles the errors of both streams. */
const noop = (): void => {}

const named = new WeakMap<FastifyReply, string>()

/** For a body whose maker has a digest of it: going through the whole of it is saved. */
export const nameBody = (reply: FastifyReply, digest: string): void => void named.set(reply, digest)

const digestOf = (body: Body): string => hash('sha1', body, 'base64url')

export const etagOf = (digest: string, coding: Coding): string =>
  `"${digest}${coding === 'identity' ? '' : `-${coding}`}"`

/** `*` matches any answer: the client has no earlier one to compare with, so this is not a revalidation. */
export const isRevalidation = (ifNoneMatch: string | undefined): boolean => ifNoneMatch?.trim() !== '*'

export const isKnown = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header === etag ||
    header.trim() === '*' ||
    header.split(',').some((known) => known.trim().replace(/^W\//, '') === etag))
