import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods, RouteOptions } from 'fastify'
import { AppError } from '../../kernel/errors.ts'
import { NO_ROUTE } from '../../kernel/http-metrics.ts'
import { routeNotFound } from './problem.ts'
import { Call } from './call.ts'
import type { CompiledRoute, Gate, RoutedCall, RunnableRoute, Surface } from './route.ts'
import type { Pipeline } from './run.ts'
import { createValidators } from './validate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The request in the pipeline; null until it has entered. */
    call: RoutedCall | null
  }
}

const METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Methods whose body Fastify does not read. */
const BODYLESS = new Set<string>(['GET', 'HEAD', 'TRACE'])

/** Converts a path template to a Fastify pattern, which is also the metrics label. */
const toPattern = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

const toLabel = ({ prefix }: Surface, path: string): string => `${prefix}${toPattern(path)}`

const compileRoute = (surface: Surface, route: RunnableRoute, label: string): CompiledRoute => ({
  surface,
  label,
  gates: route.gates,
  accepts: route.produces?.accepts,
  isBodyOptional: route.isBodyOptional ?? false,
  validators: createValidators(route),
  handle: route.handle,
  onSent: route.onSent,
})

/** A route that always fails. */
export const compileFailure = (
  surface: Surface,
  gates: readonly Gate[],
  label: string,
  toError: () => AppError,
): CompiledRoute => {
  const handle = (): never => {
    throw toError()
  }
  return compileRoute(surface, { method: 'ANY', path: '', gates, handle }, label)
}

type Handlers = Pick<RouteOptions, 'handler'> & {
  onRequest?: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void
}

export const toCall = (route: CompiledRoute, request: FastifyRequest, reply: FastifyReply): RoutedCall => {
  const call = new Call(route, request, reply.raw)
  request.call = call
  return call
}

const runHandler = (pipeline: Pipeline, route: CompiledRoute): Handlers => ({
  handler(request, reply) {
    reply.hijack()
    pipeline.run(toCall(route, request, reply))
  },
})

/**
 * Fastify reads the body between the two handlers: after the gates, so that only bodies of authorised callers are
 * read.
 */
const bodyHandlers = (pipeline: Pipeline, route: CompiledRoute): Required<Handlers> => ({
  onRequest(request, reply, done) {
    pipeline.enter(toCall(route, request, reply), done)
  },
  handler(request, reply) {
    reply.hijack()
    if (request.call) pipeline.finish(request.call)
  },
})

const handlersFor = (pipeline: Pipeline, route: CompiledRoute, method: string): Handlers =>
  BODYLESS.has(method) ? runHandler(pipeline, route) : bodyHandlers(pipeline, route)

/**
 * Registers the routes of a surface, with 405 and Allow for other methods of their paths and 404 for any other path
 * below the prefix. `gates` run before both.
 */
export async function registerSurface(
  app: FastifyInstance,
  pipeline: Pipeline,
  surface: Surface,
  routes: readonly RunnableRoute[],
  gates: readonly Gate[],
): Promise<void> {
  await registerRoutes(app, pipeline, surface, routes)
  for (const [path, known] of groupMethods(routes)) {
    const allow = METHODS.filter((method) => known.has(method)).join(', ')
    const url = toLabel(surface, path)
    const toError = () => new AppError('method-not-allowed', `Allowed methods: ${allow}.`, { allow })
    const methodNotAllowed = compileFailure(surface, gates, url, toError)
    for (const method of METHODS.filter((other) => !known.has(other)))
      app.route({ method, url, exposeHeadRoute: false, ...handlersFor(pipeline, methodNotAllowed, method) })
  }
  await registerNotFound(app, pipeline, surface, gates)
}

/** Registers 404 for any other path below the prefix; limits and gates come before the body is read, as for routes. */
export async function registerNotFound(
  app: FastifyInstance,
  pipeline: Pipeline,
  surface: Surface,
  gates: readonly Gate[],
): Promise<void> {
  await app.register(
    async (scope) => {
      const unknown = compileFailure(surface, gates, NO_ROUTE, routeNotFound)
      const { onRequest, handler } = bodyHandlers(pipeline, unknown)
      scope.addHook('onRequest', onRequest)
      scope.setNotFoundHandler(handler)
    },
    { prefix: surface.prefix },
  )
}

/** Registers routes without 404 and 405 handlers of their own. */
export async function registerRoutes(
  app: FastifyInstance,
  pipeline: Pipeline,
  surface: Surface,
  routes: readonly RunnableRoute[],
): Promise<void> {
  for (const route of routes) {
    const url = toLabel(surface, route.path)
    const compiled = compileRoute(surface, route, url)
    const { bodyLimit, installParsers } = route
    const add = (scope: FastifyInstance): void => {
      for (const method of route.method === 'ANY' ? scope.supportedMethods : toMethods(route.method))
        scope.route({
          method,
          url,
          exposeHeadRoute: false,
          ...(bodyLimit === undefined ? {} : { bodyLimit }),
          ...handlersFor(pipeline, compiled, method),
        })
    }
    if (!installParsers) add(app)
    else
      await app.register(async (scope) => {
        installParsers(scope)
        add(scope)
      })
  }
}

const toMethods = (method: RunnableRoute['method']): HTTPMethods[] => {
  if (method === 'ANY') return METHODS
  return method === 'GET' ? ['GET', 'HEAD'] : [method]
}

function groupMethods(routes: readonly RunnableRoute[]): Map<string, Set<HTTPMethods>> {
  const methods = new Map<string, Set<HTTPMethods>>()
  for (const { path, method } of routes) {
    const known = methods.get(path) ?? new Set()
    for (const one of toMethods(method)) known.add(one)
    methods.set(path, known)
  }
  return methods
}
