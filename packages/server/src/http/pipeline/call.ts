import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { SiteModel } from '../../domain/estate/inventory/site-model.ts'
import { stopwatch } from '../../kernel/clock.ts'
import type { Client } from '../../domain/identity/partner/store.ts'
import type { Charge } from './rate-limit.ts'
import { getClientAddress } from './client-address.ts'
import type { HeaderList } from './reply.ts'

/** The part of a route that a call needs. */
interface BodyRule {
  isBodyOptional: boolean
}

/** One request on its way through the pipeline. */
export class Call<Route extends BodyRule = BodyRule> {
  readonly route: Route
  readonly id: string
  readonly startedAt = stopwatch()
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Response headers set so far; the rate-limit headers are derived from `charge`. */
  readonly replyHeaders: HeaderList = []
  /** Set by the gate `bearer`. */
  caller: Client | undefined = undefined
  /** Set by the gate `site`. */
  site: SiteModel | undefined = undefined
  /** Whether to close the connection after the response, because the rest of the body is not read. */
  isLast = false
  /** The request's use of its rate limit. */
  charge: Charge | undefined = undefined
  readonly #fastify: FastifyRequest

  constructor(route: Route, fastify: FastifyRequest, response: ServerResponse) {
    this.route = route
    this.id = fastify.id
    this.request = fastify.raw
    this.response = response
    this.#fastify = fastify
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

  get params(): unknown {
    return this.#fastify.params
  }

  get query(): unknown {
    return this.#fastify.query
  }

  get body(): unknown {
    return this.#fastify.body ?? (this.route.isBodyOptional ? {} : undefined)
  }

  /** The client's address, behind the trusted proxies. */
  get address(): string {
    return getClientAddress(this.#fastify)
  }
}
