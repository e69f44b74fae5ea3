import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { SiteModel } from '../../domain/estate/inventory/site-model.ts'
import { stopwatch } from '../../kernel/clock.ts'
import type { Client } from '../../domain/identity/partner/store.ts'
import type { Charge } from './rate-limit.ts'
import { getClientAddress } from './client-address.ts'
import type { HeaderList } from './reply.ts'

/** What a call needs to know of its route. */
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
  /** Response headers set so far; the rate-limit headers are made from `charge`. */
  readonly replyHeaders: HeaderList = []
  /** Set by the gate `bearer`. */
  caller: Client | undefined = undefined
  /** Set by the gate `site`. */
  site: SiteModel | undefined = undefined
  /** Whether the connection is closed after the response: the rest of the body is not read. */
  isLast = false
  /** What the request has consumed of its rate limit. */
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

  /** The caller's address, behind the proxies that are trusted. */
  get address(): string {
    return getClientAddress(this.#fastify)
  }
}
