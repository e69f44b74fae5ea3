import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '../../kernel/errors.ts'
import { respondToClientError } from './client-error.ts'
import { MAX_HEADER_BYTES, MAX_URL_BYTES, REQUEST_TIMEOUT_MS } from './limits.ts'

export const hasBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** Rejects oversized requests and duplicate Host or Authorization headers. */
export function assertRequestLimits({ url = '', rawHeaders, httpVersion }: IncomingMessage): void {
  if (url.length > MAX_URL_BYTES) {
    throw new AppError('uri-too-long', `The URL is longer than ${MAX_URL_BYTES} bytes.`)
  }
  let headerBytes = 0
  let authorizations = 0
  let hosts = 0
  let isName = false
  for (const text of rawHeaders) {
    // Names and values alternate; a name is followed by ': ', a value by a line break.
    isName = !isName
    headerBytes += text.length + 2
    if (!isName) continue
    if (text.length === 4 && text.toLowerCase() === 'host') hosts += 1
    if (text.length === 13 && text.toLowerCase() === 'authorization') authorizations += 1
  }
  if (headerBytes > MAX_HEADER_BYTES) {
    throw new AppError('headers-too-large', `The headers are larger than ${MAX_HEADER_BYTES} bytes.`)
  }
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) {
    throw new AppError('bad-request', 'The request must have exactly one Host header.')
  }
  // Node keeps the first and a proxy may keep the last, so it is not certain whose request it is.
  if (authorizations > 1)
    throw new AppError('bad-request', 'The Authorization header is sent more than once.')
}

const bodyTimeout = (): Error & { code: string } =>
  Object.assign(new Error('The request body did not arrive in time.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })

/** Requests of authorised callers, whose bodies have no time limit. */
const unlimited = new WeakSet<IncomingMessage>()
const bodyTimers = new WeakMap<IncomingMessage, NodeJS.Timeout>()

/** Lifts the time limit for a streamed body of any length. Call it only after the caller is authorised. */
export function liftBodyTimeLimit(request: IncomingMessage): void {
  unlimited.add(request)
  clearTimeout(bodyTimers.get(request))
}

/** Limits the time in which a body must arrive. Node's own limit would also end a long upload of readings. */
export function startBodyTimeout(
  request: IncomingMessage,
  response: ServerResponse,
  publicUrl: string,
): void {
  // Most bodies arrive with their headers, before the next iteration of the event loop.
  setImmediate(() => {
    if (request.complete || request.destroyed || unlimited.has(request)) return
    const timer = setTimeout(() => {
      // The response has already been sent; only the rest of the body was still awaited.
      if (response.writableEnded) request.socket.destroy()
      else respondToClientError(bodyTimeout(), request.socket, publicUrl)
    }, REQUEST_TIMEOUT_MS)
    bodyTimers.set(request, timer)
    request.once('close', () => clearTimeout(timer))
  })
}
