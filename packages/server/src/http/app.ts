import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify'
import { newUuid } from '../lib/ids.ts'
import type { Log } from '../lib/log.ts'
import { createReportClosed } from './closed-connections.ts'
import { createHttpServer, type TlsPair } from './http-server.ts'
import { boundedJsonBodies } from './json-body.ts'
import * as limits from './limits.ts'
import { discovery } from './oauth/discovery.ts'
import { issuerErrorPage } from './oauth/error-page.ts'
import { createTokenShortWay, type TokenShortWay } from './oauth/short-way.ts'
import { tokenEndpoint } from './oauth/token.ts'
import { operator } from './operator/index.ts'
import { probes } from './ops/probes.ts'
import { toOriginForm } from './origin-form.ts'
import { deprecationPage } from './pages/deprecations.ts'
import { errorPages } from './pages/errors.ts'
import { landingPage } from './pages/landing.ts'
import { openapiDocuments, type Surfaces } from './pages/openapi.ts'
import { apiConsole } from './pages/reference/index.ts'
import { createExpensiveQueries, type ExpensiveQueries } from './plugins/expensive-queries.ts'
import { createRequestLimits, type RequestLimits } from './plugins/rate-limit.ts'
import { readyGate } from './plugins/ready-gate.ts'
import { nameAnswer, requestContext } from './plugins/request-context.ts'
import { noSuchAddress, sendProblem } from './problem.ts'
import type { Services } from './services.ts'
import { isOfV1, sendV1Error } from './v1/error.ts'
import { v1 } from './v1/index.ts'
import { v2 } from './v2/index.ts'
import { createValidatorCompiler } from './validator.ts'
import { createShortWay, type ShortWay } from './v2/short-way.ts'

export interface AppOptions {
  tls: TlsPair | undefined
  trustProxy: boolean | number | string[]
  /** Limit for connections of one address to this process; trusted proxies are exempt. */
  connectionsPerAddress: number
}

export interface BuiltApp {
  app: FastifyInstance
  /** Described by OpenAPI documents. */
  surfaces: Surfaces
}

type Surface = (
  scope: FastifyInstance,
  services: Services,
  limits: RequestLimits,
  queries: ExpensiveQueries,
) => Promise<void>

/** What fails before it has reached a surface still gets the body of the one it was for. */
const sendError = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { addresses, log }: Services,
): FastifyReply =>
  isOfV1(request.url)
    ? sendV1Error(error, request, reply, log)
    : sendProblem(error, request, reply, { publicUrl: addresses.publicUrl, log })

/** Every surface this process serves, in the order one reads them. */
export async function buildApp(services: Services, options: AppOptions): Promise<BuiltApp> {
  const { tenant } = services
  const limits = createRequestLimits(services)
  const queries = createExpensiveQueries(services, limits)
  const app = createServer(services, options, {
    reads: createShortWay(services, limits),
    tokens: createTokenShortWay(services),
  })

  app.decorateRequest('caller', null)
  app.decorateRequest('site', null)
  app.removeContentTypeParser('text/plain')
  boundedJsonBodies(app)
  app.setValidatorCompiler(createValidatorCompiler())
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, services))
  app.setNotFoundHandler((request, reply) => sendError(noSuchAddress(), request, reply, services))
  await app.register(requestContext, services)

  await app.register(probes, services)
  await app.register(async (pages) => {
    await pages.register(landingPage, services)
    await pages.register(errorPages, services)
    if (services.isIssuer) await pages.register(issuerErrorPage, services)
    await pages.register(async (ready) => {
      readyGate(ready, services)
      await ready.register(deprecationPage, services)
    })
  })
  if (services.isIssuer) {
    await app.register(async (issuer) => {
      readyGate(issuer, services)
      await issuer.register(discovery, services)
    })
    await app.register(
      async (issuer) => {
        readyGate(issuer, services)
        await tokenEndpoint(issuer, services)
      },
      { prefix: `/${tenant}` },
    )
  }
  const surfaces: Surfaces = new Map()
  const describe = (name: string, surface: Surface) => async (scope: FastifyInstance) => {
    surfaces.set(name, scope)
    await surface(scope, services, limits, queries)
  }
  await app.register(describe('v2', v2), { prefix: '/v2' })
  await app.register(describe('v1', v1), { prefix: '/v1' })
  await app.register(describe('operator', operator), { prefix: '/operator' })
  await app.register(openapiDocuments, { surfaces })
  await app.register(apiConsole, { surfaces })
  return { app, surfaces }
}

const toBaseLogger = (log: Log): FastifyBaseLogger => log

/** What is answered before the framework sees it. */
interface ShortWays {
  reads: ShortWay
  tokens: TokenShortWay
}

function createServer(
  services: Services,
  { tls, trustProxy, connectionsPerAddress }: AppOptions,
  shortWays: ShortWays,
): FastifyInstance {
  const { addresses, log } = services
  const app = fastify({
    serverFactory: (handler) =>
      createHttpServer(
        (request, response) => {
          request.url = toOriginForm(request.url ?? '')
          if (shortWays.reads(request, response)) return
          if (!shortWays.tokens(request, response, handler)) handler(request, response)
        },
        {
          tls,
          publicUrl: addresses.publicUrl,
          trustProxy,
          connectionsPerAddress,
          reportClosed: createReportClosed(services),
        },
      ),
    // Typed as the plain logger: otherwise every route's type carries pino's.
    loggerInstance: toBaseLogger(log),
    // Nobody logs by request: a logger for each would cost more than its line.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    // Malformed requests are answered in http-server.ts; Fastify would answer them before the requests ahead of them.
    clientErrorHandler: () => {},
    genReqId: newUuid,
    requestIdHeader: false,
    // Fastify ignores a number of hops: it cannot know that the first one is a proxy. The operator says so here.
    trustProxy: typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy,
    bodyLimit: limits.MAX_BODY_BYTES,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: limits.MAX_URL_BYTES },
    frameworkErrors: (error, request, reply) => {
      nameAnswer(request, reply)
      void sendError(error, request, reply, services)
    },
  })
  // Schemas describe and validate; answers are built by typed code and need no second, slower pass.
  app.setSerializerCompiler(() => (body) => JSON.stringify(body))
  return app
}
