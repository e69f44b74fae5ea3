import type { RequestListener } from 'node:http'
import { at } from '../../kernel/at.ts'
import { AppError } from '../../kernel/errors.ts'
import { NO_ROUTE } from '../../kernel/http-metrics.ts'
import { jsonBody } from './body/json-body.ts'
import { Call } from './call.ts'
import type { GetClientAddress } from './client-address.ts'
import { MAX_BODY_BYTES } from './limits.ts'
import { routeNotFound } from './problem.ts'
import { type CompiledRoute, type Gate, METHODS, type RunnableRoute, type Surface } from './route.ts'
import { listParameters, RouteTable } from './route-table.ts'
import type { Pipeline } from './run.ts'
import { createTargetParser, type PathMatch, type PathParams } from './request-target.ts'
import { createValidators } from './validate.ts'

/** The routes of one path, by method. */
interface Endpoint {
  parameters: readonly string[]
  routes: Map<string, CompiledRoute>
}

/** The routes of paths below a surface's prefix that are unknown, or not valid URL paths. */
interface Fallbacks {
  notFound: CompiledRoute
  invalid: CompiledRoute
}

/** Methods whose body is not read. */
const BODYLESS = new Set<string>(['GET', 'HEAD'])

const JSON_BODY = jsonBody(MAX_BODY_BYTES)
const NO_PARAMS: PathParams = {}

/** In place of an endpoint: the path is not properly percent-encoded. */
const INVALID = Symbol('invalid path')

const compileRoute = (surface: Surface, route: RunnableRoute, label: string): CompiledRoute => ({
  surface,
  label,
  gates: route.gates,
  accepts: route.produces?.accepts,
  reads: BODYLESS.has(route.method) ? undefined : (route.reads ?? JSON_BODY),
  isBodyOptional: route.isBodyOptional ?? false,
  validators: createValidators(route),
  handle: route.handle,
  onSent: route.onSent,
})

/** A route that always fails. */
const compileFailure = (
  surface: Surface,
  gates: readonly Gate[],
  label: string,
  toError: () => AppError,
): CompiledRoute => {
  const handle = (): never => {
    throw toError()
  }
  return { ...compileRoute(surface, { method: 'ANY', path: '', gates, handle }, label), reads: undefined }
}

const invalidPath = (): AppError => new AppError('bad-request', 'The path is not a valid URL path.')

/** Finds the route of a request and runs it. */
export class Router {
  readonly #pipeline: Pipeline
  readonly #getAddress: GetClientAddress
  readonly #endpoints = new RouteTable<Endpoint>()
  /** By the first segment of a surface's paths. */
  readonly #fallbacks = new Map<string, Fallbacks>()
  readonly #parseTarget = createTargetParser((path) => this.#match(path))

  constructor(pipeline: Pipeline, getAddress: GetClientAddress) {
    this.#pipeline = pipeline
    this.#getAddress = getAddress
  }

  /** Adds routes without 404 and 405 handling. */
  addRoutes(surface: Surface, routes: readonly RunnableRoute[]): void {
    for (const route of routes) {
      const endpoint = this.#endpointAt(surface, route.path)
      const compiled = compileRoute(surface, route, toLabel(surface, route.path))
      for (const method of toMethods(route.method)) endpoint.routes.set(method, compiled)
    }
  }

  /**
   * Adds the routes of a surface, with 405 and Allow for other methods of their paths and 404 for any other path below
   * the prefix. `gates` run before both.
   */
  addSurface(surface: Surface, routes: readonly RunnableRoute[], gates: readonly Gate[]): void {
    this.addRoutes(surface, routes)
    for (const path of new Set(routes.map((route) => route.path))) {
      const endpoint = this.#endpointAt(surface, path)
      const allow = METHODS.filter((method) => endpoint.routes.has(method)).join(', ')
      const toError = () => new AppError('method-not-allowed', `Allowed methods: ${allow}.`, { allow })
      const notAllowed = compileFailure(surface, gates, toLabel(surface, path), toError)
      for (const method of METHODS) if (!endpoint.routes.has(method)) endpoint.routes.set(method, notAllowed)
    }
    this.addNotFound(surface, gates)
  }

  /** Adds 404 for any other path below the surface's prefix. */
  addNotFound(surface: Surface, gates: readonly Gate[]): void {
    this.#addFallback(surface, compileFailure(surface, gates, NO_ROUTE, routeNotFound))
  }

  /** Adds a page for the prefix itself and any other path below it. Its handler also gets requests of other methods. */
  addFallbackPage(surface: Surface, { gates, handle }: RunnableRoute): void {
    const label = toLabel(surface, '/*')
    const page = compileRoute(surface, { method: 'ANY', path: '', gates, handle }, label)
    this.#addFallback(surface, { ...page, reads: undefined })
  }

  #addFallback(surface: Surface, notFound: CompiledRoute): void {
    this.#fallbacks.set(surface.prefix.slice(1), {
      notFound,
      invalid: compileFailure({ ...surface, isConditional: false }, [], NO_ROUTE, invalidPath),
    })
  }

  readonly handle: RequestListener = (request, response) => {
    const target = this.#parseTarget(request.url ?? '')
    const { endpoint } = target.path.value
    const route =
      endpoint === INVALID
        ? this.#fallbacksFor(target.path.text).invalid
        : (endpoint?.routes.get(request.method ?? '') ?? this.#fallbacksFor(target.path.text).notFound)
    this.#pipeline.run(new Call(route, target, request, response, this.#getAddress))
  }

  #endpointAt(surface: Surface, path: string): Endpoint {
    const pattern = `${surface.prefix}${path}`
    return this.#endpoints.at(pattern, () => ({
      parameters: listParameters(pattern),
      routes: new Map(),
    }))
  }

  #match(path: string): PathMatch<Endpoint | typeof INVALID | undefined> {
    const values: string[] = []
    try {
      const endpoint = this.#endpoints.find(path, values)
      return { endpoint, params: endpoint ? toParams(endpoint.parameters, values) : NO_PARAMS }
    } catch (error) {
      if (error instanceof URIError) return { endpoint: INVALID, params: NO_PARAMS }
      throw error
    }
  }

  #fallbacksFor(path: string): Fallbacks {
    const end = path.indexOf('/', 1)
    const first = end === -1 ? path.slice(1) : path.slice(1, end)
    // Decoded like the segments of routes: the gates of a surface also apply to an escaped spelling of its prefix.
    const fallbacks = this.#fallbacks.get(tryDecode(first)) ?? this.#fallbacks.get('')
    if (!fallbacks) throw new Error('There is no surface for unknown paths.')
    return fallbacks
  }
}

function tryDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A path with parameters as the metrics show it. */
const toLabel = ({ prefix }: Surface, path: string): string => `${prefix}${path.replace(/\{(\w+)\}/g, ':$1')}`

function toParams(names: readonly string[], values: readonly string[]): PathParams {
  const params: Record<string, string> = {}
  for (let index = 0; index < names.length; index += 1) params[at(names, index)] = at(values, index)
  return Object.freeze(params)
}

const toMethods = (method: RunnableRoute['method']): readonly string[] => {
  if (method === 'ANY') return [...METHODS, 'TRACE']
  return method === 'GET' ? ['GET', 'HEAD'] : [method]
}
