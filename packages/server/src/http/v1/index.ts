import { Type } from 'typebox'
import type { RangeQuery } from '@portico/wire/v1/query'
import type { FastifyInstance } from 'fastify'
import { V1_CATALOGUE, type V1Endpoint } from '../../migration/catalogue.ts'
import { requireRole, requireToken } from '../plugins/bearer-auth.ts'
import type { ExpensiveQueries } from '../plugins/expensive-queries.ts'
import { watchMethods } from '../plugins/method-not-allowed.ts'
import { describeSurface } from '../plugins/openapi.ts'
import type { RequestLimits } from '../plugins/rate-limit.ts'
import { readyGate } from '../plugins/ready-gate.ts'
import { representation } from '../plugins/representation.ts'
import { requireSite, siteOf } from '../plugins/site-scope.ts'
import { noSuchAddress } from '../problem.ts'
import { requireJson } from '../require-json.ts'
import type { Services } from '../services.ts'
import { sendV1Error } from './error.ts'
import { describeIds } from './openapi.ts'
import { v1Responses } from './responses.ts'
import { announceRetirement } from './retirement.ts'
import type { V1Route } from './route.ts'
import { V1_ROUTES } from './routes.ts'
import { findSubject } from './subject.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The endpoint of version 1 that a route serves. */
    v1Endpoint?: V1Endpoint
  }
}

/** Version 1 of the partner API, while it lasts: the same services as version 2, in the old shapes. */
export async function v1(
  app: FastifyInstance,
  services: Services,
  limits: RequestLimits,
  queries: ExpensiveQueries,
): Promise<void> {
  app.setErrorHandler((error, request, reply) => sendV1Error(error, request, reply, services.log))
  readyGate(app, services)
  requireToken(app, services)
  representation(app, limits, services.unreadBytes)
  await describeSurface(app, services, {
    title: 'Portico partner API, version 1',
    description:
      'Being retired: each answer says in its headers what takes its place, and until when it is there. New programs use version 2.',
    serverUrl: services.addresses.baseUrlV1,
    withoutSite: [],
    amend: describeIds,
  })
  const answerOtherMethods = watchMethods(app, limits.countPartner)
  await app.register(async (site) => {
    requireSite(site, services, limits)
    countCalls(site, services)
    requireRole(site, 'V1.Read')
    for (const endpoint of V1_CATALOGUE) {
      await site.register(async (scope) =>
        serve(scope, services, queries, endpoint, V1_ROUTES[endpoint.path]),
      )
    }
  })
  answerOtherMethods()
  app.setNotFoundHandler(async (request, reply) => {
    await limits.countPartner(request, reply)
    throw noSuchAddress()
  })
}

/** Whatever the answer is: a call that is refused is one that its program still makes. */
function countCalls(app: FastifyInstance, { v1Usage }: Services): void {
  app.addHook('onResponse', async ({ caller, routeOptions }, { statusCode }) => {
    const endpoint = routeOptions.config.v1Endpoint
    if (caller && endpoint) v1Usage.count(caller.partnerUuid, endpoint.path, statusCode)
  })
}

function serve(
  app: FastifyInstance,
  services: Services,
  queries: ExpensiveQueries,
  endpoint: V1Endpoint,
  route: V1Route,
): void {
  announceRetirement(app, services, endpoint, route)
  const url = endpoint.path.replace(/\{(\w+)\}/g, ':$1')
  app.get<{ Querystring: RangeQuery }>(
    url,
    { schema: schemaOf(endpoint, route), config: { v1Endpoint: endpoint } },
    async (request, reply) => {
      if (route.answer) requireJson(request)
      const model = siteOf(request)
      const call = { model, now: services.clock.now(), query: request.query, services }
      const found = findSubject(request, endpoint.subject, model)
      return queries.run(request, reply, route.estimateCost(call, found), () =>
        route.handle(call, found, reply),
      )
    },
  )
}

const schemaOf = (endpoint: V1Endpoint, { summary, description, query, answer }: V1Route) => ({
  operationId: operationIdOf(endpoint.path),
  summary,
  description: `${description} ${fateOf(endpoint)}`,
  tags: [tagOf(endpoint)],
  deprecated: endpoint.state !== 'awaiting-v2',
  params: paramsOf(endpoint.path),
  querystring: query,
  response: v1Responses(summary, answer),
})

/** Their text is judged when the subject is looked for, in words that fit version 1. */
const paramsOf = (path: string) =>
  Type.Object(
    Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, Type.String()])),
  )

const operationIdOf = (path: string): string =>
  `get${[...path.matchAll(/(?<![{\w])\w+/g)].map(([word]) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}`

const tagOf = ({ subject }: V1Endpoint): string =>
  ({ space: 'Spaces', building: 'Buildings', site: 'Sites', tenant: 'Tenant' })[subject]

const fateOf = ({ state, replacement }: V1Endpoint): string => {
  if (replacement !== null) return `In version 2: GET ${replacement}.`
  return state === 'awaiting-v2'
    ? 'Version 2 will have it in a later release.'
    : 'Version 2 will not have it.'
}
