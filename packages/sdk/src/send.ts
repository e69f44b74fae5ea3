import type { Cache, CachedResponse } from './cache.ts'
import { ConnectionError, findSuccessor, TimeoutError, toApiError } from './errors.ts'
import type { HookRunner } from './hooks.ts'
import { CallLimits } from './limits.ts'
import { isUsedUp, type Pacer, type RateLimit, readRateLimit } from './pace.ts'
import { backoffMs, delay, MAX_RETRY_AFTER_MS, now, RETRIED, startTimer, withSignal } from './timing.ts'
import type { TokenSource } from './token.ts'

/**
 * Options of every call. Without `deadlineMs`, a call can take up to `timeoutMs` × (`maxRetries` + 1), plus the waits
 * in between. A call that has to obtain a token first may wait as long again for it.
 */
export interface CallOptions {
  /** Aborts the call, even while it waits; the reason of the signal is thrown unchanged. */
  signal?: AbortSignal | undefined
  /** Time limit of one attempt in milliseconds, 30,000 by default. */
  timeoutMs?: number | undefined
  /** 2 by default. Only requests that are safe to send twice are retried. */
  maxRetries?: number | undefined
  /**
   * Time limit of the whole call in milliseconds, with all attempts, waits and pages; none by default. If a list is
   * iterated, it applies to each page; for an export, it applies until the stream begins.
   */
  deadlineMs?: number | undefined
  headers?: Record<string, string> | undefined
  /** Makes a POST safe to retry. `schedule` creates one if it is absent. */
  idempotencyKey?: string | undefined
}

export type QueryValue = string | number | boolean | Date | readonly string[] | undefined
export type Query = Record<string, QueryValue>

export interface ApiRequest {
  method: string
  /** Relative to the base URL, encoded. */
  path: string
  query?: Query | undefined
  /** Text, bytes and streams are sent unchanged, anything else as JSON. */
  body?: unknown
  headers?: Record<string, string>
  siteId?: string | undefined
  /** Whether the response is returned unread, for the caller to stream. */
  isStream?: boolean
}

/** A result with its response. */
export interface Answer<T> {
  data: T
  /** Its body has been read. */
  response: Response
  requestId: string | undefined
  rateLimit: RateLimit | undefined
}

export interface SenderSettings {
  baseUrl: string
  fetch: typeof fetch
  tokens: TokenSource
  hooks: HookRunner
  cache: Cache | undefined
  /** Distinguishes the responses of different clients in the cache. */
  clientKey: string
  /** The pacer of a site; undefined if calls are not paced. */
  findPacer: (siteId: string | undefined) => Pacer | undefined
  headers: Record<string, string>
  defaults: CallOptions
}

export interface Send {
  <T>(request: ApiRequest, options?: CallOptions): Promise<Answer<T>>
  /** Runs a call that consists of several requests, which share its deadline. */
  sequence<T>(options: CallOptions | undefined, run: (options: CallOptions) => Promise<T>): Promise<T>
}

const DEFAULT_TIMEOUT_MS = 30_000
const DEFAULT_RETRIES = 2
const JSON_BODY = { 'content-type': 'application/json' }
const SAFE = new Set(['GET', 'HEAD'])
const REPEATABLE = new Set([...SAFE, 'PUT', 'DELETE'])

type Body = RequestInit['body'] | undefined

interface Outcome {
  response: Response
  text: string
}

export function createSend(settings: SenderSettings): Send {
  const { baseUrl, tokens, hooks, cache, defaults } = settings
  const send = async <T>(request: ApiRequest, options: CallOptions = {}): Promise<Answer<T>> => {
    options.signal?.throwIfAborted()
    const maxRetries = options.maxRetries ?? defaults.maxRetries ?? DEFAULT_RETRIES
    const timeoutMs = options.timeoutMs ?? defaults.timeoutMs ?? DEFAULT_TIMEOUT_MS
    const { method, siteId } = request
    const url = `${baseUrl}${request.path}${toSearch(request.query)}`
    const headers = toHeaders(settings, request, options)
    const canRepeat =
      (REPEATABLE.has(method) || headers['idempotency-key'] !== undefined) && !isOneUse(request.body)
    const cached = method === 'GET' ? findCached(settings, siteId, url, headers) : undefined
    const body =
      request.body === undefined || isRaw(request.body) ? request.body : JSON.stringify(request.body)
    const pacer = settings.findPacer(siteId)
    const limits = new CallLimits(options.signal, options.deadlineMs ?? defaults.deadlineMs)
    const { signal } = limits
    let isRenewed = false
    let wasRejected = false
    let wasLost = false
    try {
      for (let retries = 0; ; ) {
        const admitted = pacer?.admit(signal, wasRejected, (waitMs) =>
          hooks.run('onPaused', { siteId, waitMs }),
        )
        const number = typeof admitted === 'object' ? await admitted : admitted
        let rateLimit: RateLimit | undefined
        let outcome: Outcome | undefined
        let failure: Error | undefined
        let token: string
        try {
          const held = tokens.get(signal, maxRetries)
          token = typeof held === 'string' ? held : await withinMs(held, timeoutMs * (maxRetries + 1))
          headers['authorization'] = `Bearer ${token}`
          if (hooks.has('onRequest'))
            hooks.run('onRequest', { method, url, headers: redact(headers), retries })
          const startedAt = now()
          try {
            // A DELETE that the runtime repeats could end in a 404 that is not recognized as a success.
            const isOnce = !canRepeat || maxRetries === 0 || method === 'DELETE'
            const init = { method, headers, body: body as Body, isOnce }
            outcome = await tryOnce(settings.fetch, url, init, timeoutMs, signal, request.isStream === true)
          } catch (error) {
            if (signal?.aborted) throw signal.reason
            failure = error as Error
          }
          if (outcome) {
            const { response } = outcome
            rateLimit = readRateLimit(response.headers)
            hooks.run('onResponse', {
              method,
              url,
              status: response.status,
              requestId: response.headers.get('x-request-id') ?? undefined,
              durationMs: now() - startedAt,
            })
          }
        } finally {
          if (number !== undefined) pacer?.finish(number, rateLimit, outcome !== undefined)
        }

        let waitMs = backoffMs(retries)
        let isPaced = false
        if (outcome) {
          const { response, text } = outcome
          const { status } = response
          if (response.headers.has('deprecation') || response.headers.has('sunset')) {
            const endpoint = toEndpoint(request.path)
            hooks.reportDeprecation(method, endpoint, response.headers, findSuccessor(response.headers))
          }
          if (response.ok || status === 304) {
            const whole = status === 304 && cached?.entry ? cached.entry.body : text
            const etag = response.headers.get('etag')
            if (cached && status === 200 && etag !== null) cache?.set(cached.key, { etag, body: text })
            return toAnswer<T>(response, whole, headers, rateLimit, request.isStream === true)
          }
          // An earlier attempt may have deleted the record although its response was lost.
          if (status === 404 && method === 'DELETE' && wasLost)
            return toAnswer<T>(response, '', headers, rateLimit, false)
          const rejection = toApiError(response, text)
          failure = rejection
          if (status === 401) {
            tokens.drop(token)
            if (isRenewed || isOneUse(request.body)) throw failure
            isRenewed = true
            continue
          }
          waitMs = rejection.retryAfterMs ?? waitMs
          isPaced = status === 429 && pacer !== undefined && rateLimit !== undefined && isUsedUp(rateLimit)
          if (isPaced) pacer?.pause(waitMs)
          if (!RETRIED.has(status)) throw failure
          if (!isPaced && waitMs > MAX_RETRY_AFTER_MS) throw failure
        }
        const error = failure ?? new ConnectionError('There was no response')
        if (!canRepeat || retries >= maxRetries || waitMs > limits.remainingMs()) throw error
        retries += 1
        hooks.run('onRetry', { method, url, retry: retries, waitMs, error })
        wasRejected = isPaced
        wasLost ||= outcome?.response.status !== 429
        if (!isPaced) await delay(waitMs, signal)
      }
    } finally {
      limits.clear()
    }
  }
  const sequence: Send['sequence'] = async (options = {}, run) => {
    const limits = new CallLimits(options.signal, options.deadlineMs ?? defaults.deadlineMs)
    try {
      return await run({ ...options, signal: limits.signal, deadlineMs: Infinity })
    } finally {
      limits.clear()
    }
  }
  return Object.assign(send, { sequence })
}

/** Rejects if the token takes longer to obtain than all attempts of the call may take. */
function withinMs(token: Promise<string>, ms: number): Promise<string> {
  const limits = new CallLimits(undefined, ms, 'No token was issued within')
  return withSignal(token, limits.signal).finally(() => limits.clear())
}

/** The path with the names of its parameters. */
const toEndpoint = (path: string): string =>
  path
    .replace(/\/(space|device|command|event|webhook)s\/[^/]+/g, '/$1s/{$1Uuid}')
    .replace(/\/(aggregate|consumption)\/(?!hourly|daily)[^/]+/, '/$1/{metricType}')

async function tryOnce(
  fetcher: typeof fetch,
  url: string,
  request: { method: string; headers: Record<string, string>; body: Body; isOnce: boolean },
  timeoutMs: number,
  signal: AbortSignal | undefined,
  isStream: boolean,
): Promise<Outcome> {
  if (signal?.aborted) throw signal.reason
  const controller = new AbortController()
  const abort = (): void => controller.abort(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  const timer = startTimer(() => controller.abort(), timeoutMs)
  let isOpen = false
  try {
    const response = await fetcher(url, { ...toInit(request), signal: controller.signal })
    isOpen = isStream && response.ok
    return { response, text: isOpen ? '' : await response.text() }
  } catch (error) {
    if (controller.signal.aborted)
      throw new TimeoutError(`No response from ${new URL(url).origin} within ${timeoutMs} ms`, error)
    throw new ConnectionError(`No response from ${new URL(url).origin}: ${toReason(error)}`, error)
  } finally {
    clearTimeout(timer)
    // The signal also ends a stream that the caller is still reading.
    if (!isOpen) signal?.removeEventListener('abort', abort)
  }
}

/**
 * Bun repeats a request by itself if the connection is closed, unless `keepalive` is false. Deno does so too, even for
 * a POST, unless the body is a stream, which a GET cannot have.
 */
function toInit({ method, headers, body, isOnce }: Parameters<typeof tryOnce>[2]): RequestInit {
  const init: RequestInit & { duplex?: 'half' } = { method, headers }
  if (isOnce) init.keepalive = false
  if (isOnce && !SAFE.has(method) && !isOneUse(body) && 'Deno' in globalThis) {
    // The server does not accept a body without a media type, even an empty one.
    if (body === undefined) init.headers = { ...headers, ...JSON_BODY }
    // The type of bytes that a Blob accepts depends on the libraries of the program.
    body = new Blob([(body ?? '{}') as string]).stream()
  }
  if (body !== undefined) init.body = body
  if (isOneUse(body)) init.duplex = 'half'
  return init
}

function toReason(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: unknown; message?: unknown }; message?: unknown }
  return String(cause?.code ?? cause?.message ?? message ?? error)
}

function toAnswer<T>(
  response: Response,
  text: string,
  headers: Record<string, string>,
  rateLimit: RateLimit | undefined,
  isStream: boolean,
): Answer<T> {
  const requestId = response.headers.get('x-request-id') ?? undefined
  if (isStream || text === '') return { data: undefined as T, response, requestId, rateLimit }
  // A 304 has no content type; the cached body has the accepted one.
  const type = (response.status === 304 ? headers['accept'] : response.headers.get('content-type')) ?? ''
  if (/^text\/html\b/.test(type))
    throw new ConnectionError('The response is a web page, not JSON; check baseUrl')
  const isJson = /\bjson\b/.test(type)
  try {
    return { data: (isJson ? JSON.parse(text) : text) as T, response, requestId, rateLimit }
  } catch (error) {
    throw new ConnectionError('The body of the response is not JSON', error)
  }
}

function toHeaders(
  { headers, defaults }: SenderSettings,
  request: ApiRequest,
  options: CallOptions,
): Record<string, string> {
  const result: Record<string, string> = { ...headers }
  if (request.siteId !== undefined) result['siteid'] = request.siteId
  if (request.body !== undefined && !isRaw(request.body)) Object.assign(result, JSON_BODY)
  if (options.idempotencyKey !== undefined) result['idempotency-key'] = options.idempotencyKey
  for (const more of [defaults.headers, request.headers, options.headers])
    if (more) for (const [name, value] of Object.entries(more)) result[name.toLowerCase()] = value
  return result
}

const redact = (headers: Record<string, string>): Record<string, string> => ({
  ...headers,
  authorization: 'Bearer …',
})

interface CacheSlot {
  key: string
  entry: CachedResponse | undefined
}

/** The cached response, whose ETag is added to the headers; undefined if the call does not use the cache. */
function findCached(
  { cache, clientKey }: SenderSettings,
  siteId: string | undefined,
  url: string,
  headers: Record<string, string>,
): CacheSlot | undefined {
  if (!cache || headers['if-none-match'] !== undefined) return undefined
  const key = [clientKey, siteId ?? '', headers['accept'] ?? '', url].join('\n')
  const entry = cache.get(key)
  if (entry) headers['if-none-match'] = entry.etag
  return { key, entry }
}

const isRaw = (body: unknown): boolean =>
  typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream

const isOneUse = (body: unknown): boolean => body instanceof ReadableStream

/** Commas stay as they are: encoded ones make the URL of a long list too long. */
const encode = (value: string): string => encodeURIComponent(value).replaceAll('%2C', ',')

function toSearch(query: Query | undefined): string {
  if (!query) return ''
  let search = ''
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    const text = Array.isArray(value)
      ? value.join(',')
      : value instanceof Date
        ? value.toISOString()
        : String(value)
    search += `${search === '' ? '?' : '&'}${name}=${encode(text)}`
  }
  return search
}
