import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { newUuid } from '../kernel/ids.ts'
import { NO_ROUTE } from '../kernel/http-metrics.ts'
import { createReportClosed } from './pipeline/connections/closed-connections.ts'
import { describeApis } from './descriptions.ts'
import { createHttpServer, type TlsPair } from './pipeline/server.ts'
import { boundedJsonBodies } from './pipeline/body/json-body.ts'
import * as limits from './pipeline/limits.ts'
import { createDiscoveryRoutes } from './oauth/discovery.ts'
import { createIssuerErrorPage } from './oauth/error-page.ts'
import { createTokenSurface, tokenRoute } from './oauth/token.ts'
import { OPERATOR_ROUTES } from './operator/routes.ts'
import { createOperatorSurface, OPERATOR_GATES } from './operator/surface.ts'
import { PROBES } from './pages/probes.ts'
import { toOriginForm } from './pipeline/origin-form.ts'
import { deprecationPage } from './pages/deprecations.ts'
import { createDocsRoutes } from './pages/docs/routes.ts'
import { createErrorPages } from './pages/errors.ts'
import { createLandingPage } from './pages/landing.ts'
import { createDocumentRoute } from './pages/openapi.ts'
import { createReferenceRoutes } from './pages/reference/index.ts'
import { installClientAddresses } from './pipeline/client-address.ts'
import { buildDocument } from './pipeline/openapi/document.ts'
import type { CompiledRoute, RouteServices, RunnableRoute, Surface } from './pipeline/route.ts'
import {
  compileFailure,
  registerNotFound,
  registerRoutes,
  registerSurface,
  toCall,
} from './pipeline/router.ts'
import { hasBody } from './pipeline/request-limits.ts'
import { createPipeline, type Pipeline } from './pipeline/run.ts'
import { createResponseWriter } from './pipeline/write-response.ts'
import { createExpensiveQueries } from './pipeline/expensive-queries.ts'
import { createRequestLimits } from './pipeline/rate-limit.ts'
import { type FailureServices, routeNotFound, renderProblem } from './pipeline/problem.ts'
import type { Services } from './services.ts'
import { createV1Surface, V1_ROUTES } from './v1/surface.ts'
import { V2_ROUTES } from './v2/routes.ts'
import { createV2Surface, PARTNER_GATES } from './v2/surface.ts'

export interface AppOptions {
  tls: TlsPair | undefined
  trustProxy: boolean | number | string[]
  /** Maximum number of connections per client address to this process; trusted proxies are exempt. */
  connectionsPerAddress: number
}

/** Builds the app with all surfaces that this process serves. */
export async function buildApp(services: Services, options: AppOptions): Promise<FastifyInstance> {
  const requestLimits = createRequestLimits(services)
  const queries = createExpensiveQueries(services, requestLimits)
  const routeServices: RouteServices = { ...services, requestLimits, queries }
  const pipeline = createPipeline(routeServices, createResponseWriter(routeServices))
  const surfaces = {
    pages: createPagesSurface(services),
    v1: createV1Surface(services),
    v2: createV2Surface(services),
    operator: createOperatorSurface(services),
  }
  const app = createServer(services, options, createFailure(pipeline, surfaces))

  await registerRoutes(app, pipeline, surfaces.pages, buildPages(services))
  if (services.isIssuer) await registerRoutes(app, pipeline, createTokenSurface(services), [tokenRoute])
  await registerSurface(app, pipeline, surfaces.v2, V2_ROUTES, PARTNER_GATES)
  await registerSurface(app, pipeline, surfaces.v1, V1_ROUTES, PARTNER_GATES)
  await registerSurface(app, pipeline, surfaces.operator, OPERATOR_ROUTES, OPERATOR_GATES)
  await registerNotFound(app, pipeline, surfaces.pages, [])
  return app
}

const createPagesSurface = (services: FailureServices): Surface => ({
  prefix: '',
  apiVersion: undefined,
  isConditional: false,
  renderError: (error, call) => renderProblem(error, call, services),
})

function buildPages(services: Services): RunnableRoute[] {
  const documents = describeApis(services)
  return [
    ...PROBES,
    createLandingPage(services),
    ...createErrorPages(services),
    deprecationPage,
    ...createDocsRoutes(services),
    ...(services.isIssuer ? [createIssuerErrorPage(services), ...createDiscoveryRoutes(services)] : []),
    createDocumentRoute('/openapi', documents, (name) => buildDocument(documents, name)),
    ...createReferenceRoutes(documents),
  ]
}

type Fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void

/** Handles Fastify's own errors: unreadable bodies, and paths that are not valid URLs. */
function createFailure(pipeline: Pipeline, { pages, v1, v2 }: Record<'pages' | 'v1' | 'v2', Surface>): Fail {
  const toRoute = (surface: Surface): CompiledRoute =>
    compileFailure({ ...surface, isConditional: false }, [], NO_ROUTE, routeNotFound)
  const routes = { '1': toRoute(v1), '2': toRoute(v2), none: toRoute(pages) }
  return (error, request, reply) => {
    reply.hijack()
    const version = /^\/v([12])(?:[/?]|$)/.exec(request.raw.url ?? '')?.[1]
    const route = version === '1' || version === '2' ? routes[version] : routes.none
    const call = request.call ?? toCall(route, request, reply)
    call.isLast = hasBody(request.raw) && !request.raw.complete
    pipeline.fail(call, error)
  }
}

/** The pipeline validates requests and encodes responses; Fastify need not load its libraries for that. */
const noSchemas = (): never => {
  throw new Error('routes have no Fastify schemas')
}

function createServer(
  services: Pick<Services, 'addresses' | 'log' | 'metrics'>,
  { tls, trustProxy, connectionsPerAddress }: AppOptions,
  fail: Fail,
): FastifyInstance {
  const app = fastify({
    serverFactory: (handler) =>
      createHttpServer(
        (request, response) => {
          request.url = toOriginForm(request.url ?? '')
          handler(request, response)
        },
        {
          tls,
          publicUrl: services.addresses.publicUrl,
          trustProxy,
          connectionsPerAddress,
          reportClosed: createReportClosed(services),
        },
      ),
    // client-error.ts responds to malformed requests; Fastify would respond before the earlier requests on the
    // connection.
    clientErrorHandler: () => {},
    genReqId: newUuid,
    requestIdHeader: false,
    // Fastify ignores a hop count, because it cannot know that the first hop is a proxy. Here the operator has said so.
    trustProxy: typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy,
    bodyLimit: limits.MAX_BODY_BYTES,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: limits.MAX_URL_BYTES },
    frameworkErrors: fail,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  })
  app.decorateRequest('call', null)
  installClientAddresses(app)
  app.removeContentTypeParser('text/plain')
  boundedJsonBodies(app)
  app.setErrorHandler(fail)
  return app
}
