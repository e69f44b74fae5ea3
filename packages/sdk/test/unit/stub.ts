import { randomUUID } from 'node:crypto'
import { mock } from 'node:test'
import { Portico, type PorticoOptions } from '../../src/index.ts'

export interface Seen {
  method: string
  /** Path and query below the base URL. */
  path: string
  headers: Headers
  /** Empty if it has no body, or an empty object. */
  body: string
}

export interface StubAnswer {
  status?: number
  headers?: Record<string, string>
  body?: unknown
}

type Answer = (request: Seen, index: number) => StubAnswer | Promise<StubAnswer>

export interface Stub {
  /** Requests to the API, in order. */
  seen: Seen[]
  /** Number of requests to the token endpoint. */
  tokens: number
  /** Replaces the answer of the token endpoint. */
  answerToken: (index: number) => StubAnswer | Promise<StubAnswer>
  options: PorticoOptions
  create(more?: PorticoOptions): Portico
}

export const SITE = '5f0c1d0e-6a57-4c1b-9b0e-2f6f3f1c7a10'
export const SPACE = '57f5ffe1-0f4d-5239-ad95-e55dc80d156b'

/** `Promise.withResolvers`, which Node 20 does not have. */
export function createDeferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((resolver) => (resolve = resolver))
  return { promise, resolve }
}

/** Moves the monotonic clock. */
export function skipTime(): { by(ms: number): void } & Disposable {
  const original = performance.now.bind(performance)
  let offset = 0
  const mocked = mock.method(performance, 'now', () => original() + offset)
  return { by: (ms) => void (offset += ms), [Symbol.dispose]: () => mocked.mock.restore() }
}

/** An answer that never comes. */
export const never = (): Promise<StubAnswer> => new Promise(() => {})

const BASE = 'http://stub.test/v2'

/** A server as a function. Its credentials are new, because clients with the same ones share tokens and pace. */
export function startStub(answer: Answer): Stub {
  const stub: Stub = {
    seen: [],
    tokens: 0,
    answerToken: (index) => ({ body: { access_token: `token-${index}`, expires_in: 3599 } }),
    options: {
      baseUrl: BASE,
      authUrl: 'http://stub.test/auth',
      clientId: randomUUID(),
      clientSecret: 'a-secret',
      siteId: SITE,
      warnBeforeExpiry: false,
      fetch: fetchStub,
    },
    create: (more = {}) => new Portico({ ...stub.options, ...more }),
  }
  async function fetchStub(
    input: Parameters<typeof fetch>[0],
    init: Parameters<typeof fetch>[1] = {},
  ): Promise<Response> {
    const url = input as string
    const signal = init.signal ?? undefined
    const pending = url.startsWith(BASE)
      ? reply(url.slice(BASE.length), init)
      : stub.answerToken(stub.tokens++)
    const { status = 200, headers = {}, body = {} } = await orAborted(pending, signal)
    const text =
      status === 204 || status === 304 ? null : typeof body === 'string' ? body : JSON.stringify(body)
    return new Response(text, { status, headers: { 'content-type': 'application/json', ...headers } })
  }
  const reply = (
    path: string,
    { method = 'GET', headers, body }: NonNullable<Parameters<typeof fetch>[1]>,
  ) => {
    const request = {
      method,
      path,
      headers: new Headers(headers),
      body: typeof body === 'string' ? withoutEmpty(body) : '',
    }
    const index = stub.seen.push(request) - 1
    if (!(body instanceof ReadableStream)) return answer(request, index)
    return new Response(body).text().then((text) => {
      request.body = withoutEmpty(text)
      return answer(request, index)
    })
  }
  return stub
}

/** An empty object is no body: on Deno, it is sent instead of none. */
const withoutEmpty = (body: string): string => (body === '{}' ? '' : body)

function orAborted<T>(value: T | Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new DOMException('aborted', 'AbortError'))
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort)
    Promise.resolve(value).then(resolve, reject)
  })
}

export const emptyPage = { data: [], pagination: { nextCursor: null, hasMore: false } }

/** The reason for which a promise is rejected. */
export const catchRejection = async (promise: PromiseLike<unknown>): Promise<unknown> => {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('it was not rejected')
}
