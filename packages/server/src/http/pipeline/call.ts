import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { SiteModel } from '../../domain/estate/inventory/site-model.ts'
import { stopwatch } from '../../kernel/clock.ts'
import { newUuid } from '../../kernel/ids.ts'
import type { VerifiedClient } from '../../domain/identity/token/verify.ts'
import type { Charge } from './rate-limit.ts'
import type { GetClientAddress } from './client-address.ts'
import type { HeaderList } from './reply.ts'
import type { PathParams, RequestTarget } from './request-target.ts'

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
  /** Time for which the client requested to wait, in milliseconds. */
  waitedMs = 0
  /** The request's use of its rate limit. */
  charge: Charge | undefined = undefined
  readonly target: RequestTarget
  /** Undefined if the request has no body, or before it has been read. */
  body: unknown = undefined
  readonly #getAddress: GetClientAddress

  constructor(
    route: Route,
    target: RequestTarget,
    request: IncomingMessage,
    response: ServerResponse,
    getAddress: GetClientAddress,
  ) {
    this.route = route
    this.target = target
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

  get params(): PathParams {
    return this.target.path.value.params
  }

  /** The query's parameters; a repeated one is an array. */
  get query(): unknown {
    return this.target.query.value
  }

  /** The client's address, behind the trusted proxies. */
  get address(): string {
    return this.#getAddress(this.request)
  }
}
