import { ConnectionError, CredentialsError, parseObject, TimeoutError, toTokenError } from './errors.ts'
import { backoffMs, delay, MAX_RETRY_AFTER_MS, now, RETRIED, withSignal } from './timing.ts'

/** Where access tokens come from. */
export interface TokenSource {
  get(signal: AbortSignal | undefined, maxRetries: number): string | Promise<string>
  /** The server has rejected this token. */
  drop(token: string): void
}

export interface Credentials {
  authUrl: string
  clientId: string
  clientSecret: string
}

interface Token {
  value: string
  /** On the monotonic clock: a wrong date on this machine has no effect. */
  renewAt: number
  expiresAt: number
}

interface Failure {
  error: Error
  at: number
  until: number
}

/** How long further calls get the same error, so that a loop does not reach the limit for wrong secrets. */
const REJECTED_MS = 5_000
const FAILED_MS = 1_000
const TOKEN_TIMEOUT_MS = 30_000

/** Tokens of the client credentials grant: one request at a time, and a renewal in the background. */
class ClientCredentials {
  readonly #credentials: Credentials
  #token: Token | undefined
  #pending: { token: Promise<string>; generation: number } | undefined
  #failure: Failure | undefined
  /** Increases when a token is dropped: a request that was sent before may not store its result. */
  #generation = 0

  constructor(credentials: Credentials) {
    this.#credentials = credentials
  }

  /** `fetcher` belongs to the calling client: clients that share a token may have different ones. */
  get(fetcher: typeof fetch, signal: AbortSignal | undefined, maxRetries: number): string | Promise<string> {
    const at = now()
    if (this.#token && at < this.#token.expiresAt) {
      if (at >= this.#token.renewAt && !this.#pending && !this.#isFailing(at)) {
        // The current token is still valid, so a failure affects only a later call.
        this.#request(fetcher, maxRetries).catch(() => {})
      }
      return this.#token.value
    }
    if (this.#failure && this.#isFailing(at)) return Promise.reject(repeatFailure(this.#failure, at))
    const isCurrent = this.#pending?.generation === this.#generation
    return withSignal((isCurrent && this.#pending?.token) || this.#request(fetcher, maxRetries), signal)
  }

  drop(token: string): void {
    if (this.#token?.value !== token) return
    this.#token = undefined
    this.#generation += 1
  }

  #isFailing(at: number): boolean {
    return this.#failure !== undefined && at < this.#failure.until
  }

  #request(fetcher: typeof fetch, maxRetries: number): Promise<string> {
    const generation = this.#generation
    const exchange = (): Promise<Token> => this.#exchange(fetcher, maxRetries)
    // One request at a time: wait for a renewal that began before the token was dropped.
    const earlier = this.#pending?.token
    const token = (earlier ? earlier.then(exchange, exchange) : exchange()).then(
      (issued) => {
        if (generation === this.#generation) {
          this.#token = issued
          this.#failure = undefined
        }
        return issued.value
      },
      (reason: unknown) => {
        const error = reason as Error
        const at = now()
        const until = at + (error instanceof CredentialsError ? REJECTED_MS : FAILED_MS)
        if (generation === this.#generation) this.#failure = { error, at, until }
        throw error
      },
    )
    const pending = { token, generation }
    this.#pending = pending
    const clear = (): void => {
      if (this.#pending === pending) this.#pending = undefined
    }
    token.then(clear, clear)
    return token
  }

  async #exchange(fetcher: typeof fetch, maxRetries: number): Promise<Token> {
    for (let retries = 0; ; retries += 1) {
      let failure: Error
      let waitMs = backoffMs(retries)
      try {
        const { response, text } = await this.#post(fetcher)
        if (response.ok) return toToken(text)
        const rejection = toTokenError(response, text)
        failure = rejection
        waitMs = rejection.retryAfterMs ?? waitMs
        if (!RETRIED.has(rejection.status) || waitMs > MAX_RETRY_AFTER_MS) throw rejection
      } catch (error) {
        if (!(error instanceof ConnectionError || error instanceof TimeoutError)) throw error
        failure = error
      }
      if (retries >= maxRetries) throw failure
      await delay(waitMs)
    }
  }

  async #post(fetcher: typeof fetch): Promise<{ response: Response; text: string }> {
    const { authUrl, clientId, clientSecret } = this.#credentials
    const url = `${authUrl}/oauth2/v2.0/token`
    const timeout = AbortSignal.timeout(TOKEN_TIMEOUT_MS)
    try {
      const response = await fetcher(url, {
        method: 'POST',
        signal: timeout,
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: clientId,
          client_secret: clientSecret,
          scope: `api://${clientId}/.default`,
        }),
      })
      return { response, text: await response.text() }
    } catch (error) {
      if (timeout.aborted) throw new TimeoutError(`No token from ${url} within ${TOKEN_TIMEOUT_MS} ms`, error)
      throw new ConnectionError(`No connection to ${url}`, error)
    }
  }
}

function toToken(text: string): Token {
  const body = parseObject(text)
  const value = body?.['access_token']
  const seconds = Number(body?.['expires_in'])
  if (typeof value !== 'string' || !(seconds > 0))
    throw new ConnectionError('The token endpoint answered without a token: is authUrl right?')
  const receivedAt = now()
  const lifetimeMs = seconds * 1000
  return {
    value,
    renewAt: receivedAt + lifetimeMs * (0.75 + 0.1 * Math.random()),
    expiresAt: receivedAt + lifetimeMs,
  }
}

function repeatFailure({ error, at }: Failure, present: number): Error {
  if (!(error instanceof CredentialsError)) return error
  const { status, code, headers, requestId, aadsts } = error
  const message = error.message.replace(/ \(request [^)]*\)$/, '')
  return new CredentialsError(
    { status, code, message, headers, requestId },
    { aadsts, cachedFor: Math.round(present - at) },
  )
}

/** By credentials: all clients of a process that use the same ones share a token. */
const shared = new Map<string, ClientCredentials>()

export function shareTokens(credentials: Credentials, fetcher: typeof fetch): TokenSource {
  const { authUrl, clientId, clientSecret } = credentials
  const key = `${authUrl}\n${clientId}\n${clientSecret}`
  const source = shared.get(key) ?? new ClientCredentials(credentials)
  shared.set(key, source)
  return {
    get: (signal, maxRetries) => source.get(fetcher, signal, maxRetries),
    drop: (token) => source.drop(token),
  }
}

/** Tokens of a function of the program, which caches them itself. */
export const fromFunction = (load: () => string | Promise<string>): TokenSource => ({
  get: (signal) => withSignal(Promise.resolve().then(load), signal),
  drop: () => {},
})
