import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { parse as parseQuery } from 'node:querystring'
import type { SiteModel } from '../../domain/estate/inventory/site-model.ts'
import { stopwatch } from '../../kernel/clock.ts'
import { newUuid } from '../../kernel/ids.ts'
import type { VerifiedClient } from '../../domain/identity/token/verify.ts'
import type { Charge } from './rate-limit.ts'
import type { GetClientAddress } from './client-address.ts'
import type { HeaderList } from './reply.ts'

/** Path parameters by name. */
export type PathParams = Readonly<Record<string, string>>

/** One request on its way through the pipeline. */
export class Call<Route = unknown> {
  readonly route: Route
  readonly id = newUuid()
  readonly startedAt = stopwatch()
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Response headers set so far; the rate-limit headers are derived from `charge`. */
  readonly replyHeaders: HeaderList = []
  /** Set by the gate `bearer`. */
  caller: VerifiedClient | undefined = undefined
  /** Set by the gate `site`. */
  site: SiteModel | undefined = undefined
  /** Whether to close the connection after the response, because the rest of the body is not read. */
  isLast = false
  /** The request's use of its rate limit. */
  charge: Charge | undefined = undefined
  readonly params: PathParams
  /** Undefined if the request has no body, or before it has been read. */
  body: unknown = undefined
  readonly #getAddress: GetClientAddress
  #query: unknown = undefined

  constructor(
    route: Route,
    params: PathParams,
    request: IncomingMessage,
    response: ServerResponse,
    getAddress: GetClientAddress,
  ) {
    this.route = route
    this.params = params
    this.request = request
    this.response = response
    this.#getAddress = getAddress
  }

  get headers(): IncomingHttpHeaders {
    return this.request.headers
  }

  get method(): string {
    return this.request.method ?? ''
  }

  /** Path and query. */
  get url(): string {
    return this.request.url ?? ''
  }

  /** The query's parameters; a repeated one is an array. */
  get query(): unknown {
    this.#query ??= parseQuery(getQueryText(this.url), '&', '=', { maxKeys: 0 })
    return this.#query
  }

  /** The client's address, behind the trusted proxies. */
  get address(): string {
    return this.#getAddress(this.request)
  }
}

const getQueryText = (url: string): string => {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}
