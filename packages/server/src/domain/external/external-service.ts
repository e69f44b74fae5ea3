import type { Clock } from '../../kernel/clock.ts'
import { createSemaphore } from '../../kernel/concurrency.ts'

const TIMEOUT_MS = 5_000
/** How long a service is left alone that failed. */
export const PAUSE_SECONDS = 30
const PAUSE_MS = PAUSE_SECONDS * 1000
const AT_ONCE = 4

/** A service outside that did not answer, or not as its documentation says. */
export class ExternalServiceError extends Error {
  /** It understood and has no answer to this question; others it may well answer. */
  readonly isRejection: boolean

  constructor(
    message: string,
    { isRejection = false, cause }: { isRejection?: boolean; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'OutsideError'
    this.isRejection = isRejection
  }
}

export interface ServiceRequest<T> {
  path: string
  query?: Record<string, string>
  /** Checks the JSON of the answer and takes what is wanted from it; throws when it is not what it should be. */
  read(answer: unknown): T
}

/** A JSON service outside, asked with GET. Whatever goes wrong is an ExternalServiceError. */
export interface ExternalService {
  get<T>(question: ServiceRequest<T>): Promise<T>
}

export interface OutsideOptions {
  /** What messages call it: its address can hold a key. */
  name: string
  url: string
  maxBytes: number
  clock: Clock
  timeoutMs?: number
  onFailure(error: ExternalServiceError): void
}

/** After a failure the service is left alone for a while: otherwise every caller would wait for the timeout. */
export function createExternalService(options: OutsideOptions): ExternalService {
  const { name, url, maxBytes, clock, onFailure, timeoutMs = TIMEOUT_MS } = options
  const turns = createSemaphore(AT_ONCE)
  let pausedUntil = Number.NEGATIVE_INFINITY

  const fetchJson = async (address: URL): Promise<unknown> => {
    const response = await fetch(address, {
      headers: { accept: 'application/json' },
      // Following one would let the service choose which addresses are asked from inside this network.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.ok) return JSON.parse(await readText(response, maxBytes))
    await response.body?.cancel()
    throw new ExternalServiceError(`${name} answered ${response.status}`, {
      isRejection: [400, 404, 422].includes(response.status),
    })
  }

  return {
    get: ({ path, query, read }) =>
      turns(async () => {
        if (clock.now() < pausedUntil) throw new ExternalServiceError(`${name} failed a moment ago`)
        try {
          return read(await fetchJson(buildUrl(url, path, query)))
        } catch (cause) {
          const error =
            cause instanceof ExternalServiceError
              ? cause
              : new ExternalServiceError(`${name} gave no usable answer`, { cause })
          if (!error.isRejection) pausedUntil = clock.now() + PAUSE_MS
          onFailure(error)
          throw error
        }
      }),
  }
}

/** Path and query are added to those of the configured address, which can hold a prefix and a key. */
function buildUrl(base: string, path: string, query: Record<string, string> = {}): URL {
  const address = new URL(base)
  address.pathname = address.pathname.replace(/\/+$/, '') + path
  for (const [key, value] of Object.entries(query)) address.searchParams.set(key, value)
  return address
}

/** Counted as it arrives, unpacked: a Content-Length promises nothing. */
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
