import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Static, TSchema } from 'typebox'
import type { AppError, ErrorCode } from '../../kernel/errors.ts'
import type { MaybePromise } from '../../kernel/maybe-promise.ts'
import type { Role } from '../../domain/identity/partner/partner.ts'
import type { ExpensiveQueries } from './expensive-queries.ts'
import type { RequestLimits } from './rate-limit.ts'
import type { Services } from '../services.ts'
import type { Call } from './call.ts'
import type { BodyFormat } from './body/read-body.ts'
import type { Produces } from './produces.ts'
import type { Reply } from './reply.ts'
import type { Validators } from './validate.ts'

/** All services available to gates and handlers; each declares the ones it uses. */
export interface RouteServices extends Services {
  requestLimits: RequestLimits
  queries: ExpensiveQueries
}

export type GateServices = Pick<
  RouteServices,
  | 'addresses'
  | 'clock'
  | 'health'
  | 'isOperatorNetwork'
  | 'lifecycle'
  | 'requestLimits'
  | 'siteDirectory'
  | 'unreadBytes'
  | 'verifier'
>

/**
 * A check that a request passes before its body is read and its parameters are validated. `Adds` are the properties
 * that it adds to the handler's context.
 */
export interface Gate<Adds extends object = object> {
  /** Returns the error to refuse the request with: throwing it would take longer than all gates together. */
  pass(call: Call, services: GateServices): MaybePromise<Error | undefined>
  /** For the API description. */
  readonly role?: Role
  readonly isSite?: boolean
  /** Type information only: never set. */
  readonly adds?: Adds
}

type Adds<G extends readonly Gate[]> = G extends readonly [
  Gate<infer First>,
  ...infer Rest extends readonly Gate[],
]
  ? First & Adds<Rest>
  : object

type ParsedRequest<S extends TSchema | undefined> = S extends TSchema ? Static<S> : unknown

/** A request as its handler sees it: the properties added by its gates and the parts validated by its schemas. */
export type Context<
  G extends readonly Gate[],
  P extends TSchema | undefined,
  Q extends TSchema,
  B extends TSchema | undefined,
> = Adds<G> & {
  readonly id: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Increased by the time for which the client requested to wait. */
  waitedMs: number
  readonly params: ParsedRequest<P>
  readonly query: ParsedRequest<Q>
  readonly body: ParsedRequest<B>
}

interface Description {
  operationId: string
  summary: string
  description?: string
  tags: readonly string[]
  deprecated?: boolean
  /** Describes path parameters that are validated as text. */
  describedParams?: TSchema
  /** Describes a body that the handler validates itself. */
  describedBody?: TSchema
  /** Describes a body that is not JSON, or not only: media types with their schemas. */
  describedContent?: { description: string; content: object }
  produces: Produces
  /** Errors beyond those that every route of its surface can return. */
  errors?: readonly ErrorCode[]
  /** Errors as this route returns them, where the example of their code would not fit. */
  exampleErrors?: readonly AppError[]
}

/** The methods that routes may have, in the order of the Allow header. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

export type Method = (typeof METHODS)[number]

interface Options {
  method: Method | 'ANY'
  /** Path template as in OpenAPI: `/spaces/{spaceuuid}`. */
  path: string
  headers?: TSchema
  /** An absent body is validated as an empty object. */
  isBodyOptional?: boolean
  /** How a body is read; as JSON if absent. */
  reads?: BodyFormat
  /** Called when a response has been sent, whatever its status. */
  onSent?(call: Call, status: number, services: RouteServices): void
}

type Handle<C, S = RouteServices> = (call: C, services: S) => MaybePromise<Reply | undefined>

/** A route as a value; gates run in the order of `gates`. */
export interface RouteDefinition<
  G extends readonly Gate[],
  P extends TSchema | undefined,
  Q extends TSchema,
  B extends TSchema | undefined,
  S extends object,
> extends Description,
    Options {
  gates: G
  params?: P
  query: Q
  body?: B
  /** Returns undefined if the connection was closed meanwhile; then no response is sent. */
  handle: Handle<Context<G, P, Q, B>, S>
}

/** A route without its types. It has no description if it is not part of an API. */
export interface RunnableRoute extends Options {
  gates: readonly Gate[]
  params?: TSchema
  query?: TSchema
  body?: TSchema
  produces?: Produces
  handle: Handle<Call>
}

/** A route of an API that has a description. */
export interface Route extends RunnableRoute, Description {
  produces: Produces
  query: TSchema
}

/** A group of routes with a common prefix, error format and caching. */
export interface Surface {
  /** Path prefix of its routes. */
  prefix: string
  apiVersion: string | undefined
  /** Whether responses to GET have an ETag and are compressed. */
  isConditional: boolean
  /** Renders the response to an error. */
  renderError(error: unknown, call: Call): Reply
}

export interface CompiledRoute {
  surface: Surface
  /** The route's pattern, used as its metrics label. */
  label: string
  gates: readonly Gate[]
  accepts: Produces['accepts']
  /** Undefined if the route reads no body. */
  reads: BodyFormat | undefined
  isBodyOptional: boolean
  validators: Validators
  handle: Handle<Call>
  onSent: RunnableRoute['onSent']
}

/** A call inside the pipeline; gates and handlers do not need its route. */
export type RoutedCall = Call<CompiledRoute>

/**
 * Checks a route's types and then erases them. The handler's context has exactly the properties that the route's gates
 * add and its schemas describe, because the pipeline passes nothing else.
 */
export const defineRoute = <
  const G extends readonly Gate[],
  Q extends TSchema,
  P extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
  // The services that the handler declares; an empty object by default.
  S extends object = object,
>(
  definition: RouteDefinition<G, P, Q, B, S> & (RouteServices extends S ? object : never),
): Route => definition as unknown as Route

/** A request as the handler of a page sees it. */
export interface PageCall {
  readonly id: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly params: Readonly<Record<string, string>>
}

/** A page or document: GET, without parameters that are validated. */
export const definePage = <S extends object = object>(
  path: string,
  gates: readonly Gate[],
  handle: Handle<PageCall, S> & (RouteServices extends S ? object : never),
): RunnableRoute => ({
  method: 'GET',
  path,
  gates,
  // Path parameters are strings unless there is a schema.
  handle: handle as unknown as Handle<Call>,
})
