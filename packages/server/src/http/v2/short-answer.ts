import type { ServerResponse } from 'node:http'
import { chooseCoding, type Coding } from '../negotiate.ts'
import type { CountedAtOnce } from '../plugins/rate-limit.ts'
import {
  CACHE_CONTROL,
  encodeAtOnce,
  etagOf,
  isKnown,
  isQuick,
  isRevalidation,
  isShort,
  VARY,
} from '../plugins/representation.ts'
import { securityHeaderList } from '../security-headers.ts'
import type { EncodedBody } from './series-encoding/series-body.ts'

/** What there is to send: a body and its ETag, or an ETag that the caller has already. */
export interface Content {
  etag: string
  /** As it is, or a letter for each byte; undefined for who has it already. */
  body?: Buffer | string
  coding?: Coding
}

/** Undefined for what only the route can say. */
export function contentFor(
  body: EncodedBody,
  accepted: string | undefined,
  ifNoneMatch: string | undefined,
): Content | undefined {
  if (accepted !== undefined && accepted !== 'identity') return encodedContent(body, accepted, ifNoneMatch)
  const etag = etagOf(body.digest, 'identity')
  return isKnown(ifNoneMatch, etag) ? { etag } : { etag, body: body.writeLatin1() }
}

/** In the coding that a caller likes best. Undefined for what it refuses or what takes another thread: that is for the route. */
function encodedContent(
  { digest, write }: EncodedBody,
  accepted: string,
  ifNoneMatch: string | undefined,
): Content | undefined {
  const text = write()
  const coding = chooseCoding(accepted, isShort(text))
  if (coding === undefined || !isQuick(text)) return undefined
  const etag = etagOf(digest, coding)
  return isKnown(ifNoneMatch, etag) ? { etag } : { etag, body: encodeAtOnce(text, coding), coding }
}

/** Answers the status. */
export function sendContent(
  response: ServerResponse,
  requestId: string,
  { etag, body, coding }: Content,
  ifNoneMatch: string | undefined,
  counted: CountedAtOnce,
): number {
  const isRefunded = body === undefined && isRevalidation(ifNoneMatch)
  const limits = isRefunded ? counted.giveBack() : counted.headers()
  // A list takes half the time of an object.
  const headers: (string | number)[] = [
    ...securityHeaderList(response.req.socket),
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
  if (coding && coding !== 'identity') headers.push('content-encoding', coding)
  headers.push('content-type', 'application/json; charset=utf-8', 'content-length', body.length)
  response.writeHead(200, headers)
  response.end(body, 'latin1')
  return 200
}
