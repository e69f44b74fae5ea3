import {
  ConnectionError,
  CredentialsError,
  parseObject,
  readRetryAfter,
  TimeoutError,
  toTokenError,
} from './errors.ts'
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

/** Time for which further calls get the same error, so that a loop does not run into the limit of wrong secrets. */
const REJECTED_MS = 5_000
const FAILED_MS = 1_000
const TOKEN_TIMEOUT_MS = 30_000

/** Tokens of the client credentials grant: one request at a time, and a renewal in the background. */
export class ClientCredentials implements TokenSource {
  readonly #credentials: Credentials
  readonly #fetch: typeof fetch
  #token: Token | undefined
  #pending: Promise<string> | undefined
  #failure: Failure | undefined
  /** Increases when a token is dropped: a request that was sent before may not store its result. */
  #generation = 0

  constructor(credentials: Credentials, fetcher: typeof fetch) {
    this.#credentials = credentials
    this.#fetch = fetcher
  }

  get(signal: AbortSignal | undefined, maxRetries: number): string | Promise<string> {
    const at = now()
    if (this.#token && at < this.#token.expiresAt) {
      if (at >= this.#token.renewAt && !this.#pending && !this.#isFailing(at)) {
        // The current token is still valid, so that a failure concerns a later call only.
        this.#request(maxRetries).catch(() => {})
      }
      return this.#token.value
    }
    if (this.#failure && this.#isFailing(at)) return Promise.reject(repeatFailure(this.#failure, at))
    return withSignal(this.#pending ?? this.#request(maxRetries), signal)
  }

  drop(token: string): void {
    if (this.#token?.value !== token) return
    this.#token = undefined
    this.#pending = undefined
    this.#generation += 1
  }

  #isFailing(at: number): boolean {
    return this.#failure !== undefined && at < this.#failure.until
  }

  #request(maxRetries: number): Promise<string> {
    const generation = this.#generation
    const pending = this.#exchange(maxRetries).then(
      (token) => {
        if (generation === this.#generation) {
          this.#token = token
          this.#failure = undefined
        }
        return token.value
      },
      (reason: unknown) => {
        const error = reason as Error
        const at = now()
        const until = at + (error instanceof CredentialsError ? REJECTED_MS : FAILED_MS)
        if (generation === this.#generation) this.#failure = { error, at, until }
        throw error
      },
    )
    this.#pending = pending
    const clear = (): void => {
      if (this.#pending === pending) this.#pending = undefined
    }
    pending.then(clear, clear)
    return pending
  }

  async #exchange(maxRetries: number): Promise<Token> {
    for (let retries = 0; ; retries += 1) {
      let failure: Error
      let waitMs = backoffMs(retries)
      try {
        const { response, text } = await this.#post()
        if (response.ok) return toToken(text)
        failure = toTokenError(response, text)
        waitMs = readRetryAfter(response.headers) ?? waitMs
        if (!RETRIED.has(response.status) || waitMs > MAX_RETRY_AFTER_MS) throw failure
      } catch (error) {
        if (!(error instanceof ConnectionError || error instanceof TimeoutError)) throw error
        failure = error
      }
      if (retries >= maxRetries) throw failure
      await delay(waitMs)
    }
  }

  async #post(): Promise<{ response: Response; text: string }> {
    const { authUrl, clientId, clientSecret } = this.#credentials
    const url = `${authUrl}/oauth2/v2.0/token`
    const timeout = AbortSignal.timeout(TOKEN_TIMEOUT_MS)
    try {
      const response = await this.#fetch(url, {
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

export function shareTokens(credentials: Credentials, fetcher: typeof fetch): ClientCredentials {
  const { authUrl, clientId, clientSecret } = credentials
  const key = `${authUrl}\n${clientId}\n${clientSecret}`
  let source = shared.get(key)
  if (!source) shared.set(key, (source = new ClientCredentials(credentials, fetcher)))
  return source
}

/** Tokens of a function of the program, which caches them itself. */
export const fromFunction = (load: () => string | Promise<string>): TokenSource => ({
  get: (signal) => withSignal(Promise.resolve().then(load), signal),
  drop: () => {},
})
