import type { RequestListener, Server } from 'node:http'
import { createReportClosed } from './pipeline/connections/closed-connections.ts'
import { describeApis } from './descriptions.ts'
import { createHttpServer, type TlsPair } from './pipeline/server.ts'
import { createConsoleRoutes } from './console/routes.ts'
import { createConsoleSurface } from './console/surface.ts'
import { createDiscoveryRoutes } from './oauth/discovery.ts'
import { createIssuerErrorPage } from './oauth/error-page.ts'
import { createTokenSurface, tokenRoute } from './oauth/token.ts'
import { OPERATOR_ROUTES } from './operator/routes.ts'
import { createOperatorSurface, OPERATOR_GATES } from './operator/surface.ts'
import { CLIENT_ROUTES } from './pages/clients.ts'
import { PROBES } from './pages/probes.ts'
import { DEPRECATION_ROUTES } from './pages/deprecations.ts'
import { createDocsRoutes } from './pages/docs/routes.ts'
import { createErrorPages } from './pages/errors.ts'
import { createLandingPage } from './pages/landing.ts'
import { createDocumentRoute } from './pages/openapi.ts'
import { createReferenceRoutes } from './pages/reference/index.ts'
import { createIssuerSurface, createPagesSurface } from './pages/surface.ts'
import { createClientAddresses } from './pipeline/client-address.ts'
import { buildDocument } from './pipeline/openapi/document.ts'
import type { RouteServices, RunnableRoute } from './pipeline/route.ts'
import { Router } from './pipeline/router.ts'
import { createPipeline } from './pipeline/run.ts'
import { createResponseWriter } from './pipeline/write-response.ts'
import { createExpensiveQueries } from './pipeline/expensive-queries.ts'
import { createRequestLimits } from './pipeline/rate-limit.ts'
import type { Services } from './services.ts'
import type { TrustProxy } from './pipeline/trusted-proxies.ts'
import { createV1Surface, V1_ROUTES } from './v1/surface.ts'
import { V2_ROUTES } from './v2/routes.ts'
import { createV2Surface, PARTNER_GATES } from './v2/surface.ts'

export interface AppOptions {
  tls: TlsPair | undefined
  trustProxy: TrustProxy
  /** Maximum number of connections per client address to this process; trusted proxies are exempt. */
  connectionsPerAddress: number
}

export interface App {
  server: Server
  /** Handles one request. */
  handle: RequestListener
}

/** Builds the HTTP server with all surfaces that this process serves. */
export function buildApp(services: Services, options: AppOptions): App {
  const requestLimits = createRequestLimits(services)
  const queries = createExpensiveQueries(services, requestLimits)
  const routeServices: RouteServices = { ...services, requestLimits, queries }
  const pipeline = createPipeline(routeServices, createResponseWriter(routeServices))
  const router = new Router(pipeline, createClientAddresses(options.trustProxy))
  const pages = createPagesSurface(services)
  router.addRoutes(pages, buildPages(services))
  if (services.isIssuer) router.addRoutes(createTokenSurface(services), [tokenRoute])
  router.addSurface(createV2Surface(services), V2_ROUTES, PARTNER_GATES)
  router.addSurface(createV1Surface(services), V1_ROUTES, PARTNER_GATES)
  router.addSurface(createOperatorSurface(services), OPERATOR_ROUTES, OPERATOR_GATES)
  if (services.hasConsole) {
    const { routes, page, unavailablePage } = createConsoleRoutes(services)
    const surface = createConsoleSurface(services, unavailablePage)
    router.addRoutes(surface, routes)
    router.addFallbackPage(surface, page)
  }
  router.addNotFound(createIssuerSurface(services), [])
  router.addNotFound(pages, [])
  const { handle } = router
  const server = createHttpServer(handle, {
    ...options,
    publicUrl: services.addresses.publicUrl,
    reportClosed: createReportClosed(services),
  })
  return { server, handle }
}

function buildPages(services: Services): RunnableRoute[] {
  const documents = describeApis(services)
  return [
    ...PROBES,
    createLandingPage(services),
    ...createErrorPages(services),
    ...DEPRECATION_ROUTES,
    ...createDocsRoutes(services),
    ...CLIENT_ROUTES,
    ...(services.isIssuer ? [createIssuerErrorPage(services), ...createDiscoveryRoutes(services)] : []),
    createDocumentRoute('/openapi', documents, (name) => buildDocument(documents, name)),
    ...createReferenceRoutes(documents, services),
  ]
}
