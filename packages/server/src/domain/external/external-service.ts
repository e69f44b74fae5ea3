import type { Clock } from '../../kernel/clock.ts'
import { createSemaphore } from '../../kernel/concurrency.ts'

const TIMEOUT_MS = 5_000
/** How long a service is not called after a failure. */
export const PAUSE_SECONDS = 30
const PAUSE_MS = PAUSE_SECONDS * 1000
const MAX_CONCURRENT_REQUESTS = 4

/** An external service failed, or its response does not match its documentation. */
export class ExternalServiceError extends Error {
  /** The service rejected this request; other requests may succeed. */
  readonly isRejection: boolean

  constructor(
    message: string,
    { isRejection = false, cause }: { isRejection?: boolean; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'ExternalServiceError'
    this.isRejection = isRejection
  }
}

export interface ServiceRequest<T> {
  path: string
  query?: Record<string, string>
  /** Validates and converts the JSON of the response; throws if it is invalid. */
  read(response: unknown): T
}

/** An external JSON service, called with GET. Every failure is an ExternalServiceError. */
export interface ExternalService {
  get<T>(request: ServiceRequest<T>): Promise<T>
}

export interface ExternalServiceOptions {
  /** Name of the service in messages, instead of its address, which can contain a key. */
  name: string
  url: string
  maxBytes: number
  clock: Clock
  timeoutMs?: number
  onFailure(error: ExternalServiceError): void
}

/** After a failure, calls fail immediately for a while: otherwise every caller would wait for the timeout. */
export function createExternalService(options: ExternalServiceOptions): ExternalService {
  const { name, url, maxBytes, clock, onFailure, timeoutMs = TIMEOUT_MS } = options
  const semaphore = createSemaphore(MAX_CONCURRENT_REQUESTS)
  let pausedUntil = Number.NEGATIVE_INFINITY

  const fetchJson = async (address: URL): Promise<unknown> => {
    const response = await fetch(address, {
      headers: { accept: 'application/json' },
      // Following a redirect would let the service send requests to addresses inside this network.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.ok) return JSON.parse(await readText(response, maxBytes))
    await response.body?.cancel()
    throw new ExternalServiceError(`${name} responded with ${response.status}`, {
      isRejection: [400, 404, 422].includes(response.status),
    })
  }

  return {
    get: ({ path, query, read }) =>
      semaphore(async () => {
        if (clock.now() < pausedUntil) throw new ExternalServiceError(`${name} failed recently`)
        try {
          return read(await fetchJson(buildUrl(url, path, query)))
        } catch (cause) {
          const error =
            cause instanceof ExternalServiceError
              ? cause
              : new ExternalServiceError(`${name} returned no usable response`, { cause })
          if (!error.isRejection) pausedUntil = clock.now() + PAUSE_MS
          onFailure(error)
          throw error
        }
      }),
  }
}

/** Adds path and query to those of the configured address, which can contain a prefix and a key. */
function buildUrl(base: string, path: string, query: Record<string, string> = {}): URL {
  const address = new URL(base)
  address.pathname = address.pathname.replace(/\/+$/, '') + path
  for (const [key, value] of Object.entries(query)) address.searchParams.set(key, value)
  return address
}

/** Limits the decompressed size while reading: Content-Length is not reliable. */
async function readText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new Error(`more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
