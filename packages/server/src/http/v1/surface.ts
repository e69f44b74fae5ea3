import { about } from '@portico/wire/about'
import { EXAMPLE } from '@portico/wire/example-ids'
import { LegacyId } from '@portico/wire/v1/common'
import { Type } from 'typebox'
import { V1_CATALOGUE, type V1Endpoint } from '../../domain/v1-lifecycle/catalogue.ts'
import { notFound } from '../../kernel/errors.ts'
import { bearer, rateLimit, ready, role, site } from '../pipeline/gates.ts'
import { codingNotAcceptable, JSON_MEDIA, notAcceptable } from '../pipeline/produces.ts'
import { defineRoute, type Route, type RouteServices, type Surface } from '../pipeline/route.ts'
import type { FailureServices } from '../pipeline/problem.ts'
import { renderV1Error } from './error.ts'
import { v1Responses } from './responses.ts'
import { retirement, toExampleGone } from './retirement.ts'
import type { V1Route, V1Services } from './route.ts'
import { V1_ROUTES as HANDLERS } from './routes.ts'
import { findSubject } from './subject.ts'

/**
 * Version 1 of the partner API, until its retirement: the services of version 2 in the response formats of version 1.
 */
export const createV1Surface = (services: FailureServices): Surface => ({
  prefix: '/v1',
  apiVersion: '1',
  isConditional: true,
  renderError: (error, call) => renderV1Error(error, call, services),
})

const toRoute = (endpoint: V1Endpoint, route: V1Route): Route =>
  defineRoute({
    method: 'GET',
    path: endpoint.path,
    operationId: toOperationId(endpoint.path),
    summary: route.summary,
    description: `${route.description} ${describeFate(endpoint)}`,
    tags: [toTag(endpoint)],
    deprecated: endpoint.state !== 'awaiting-v2',
    gates: [ready, bearer, site, rateLimit, role('V1.Read'), retirement(endpoint, route)],
    // Validated when the subject is looked up, with messages that fit version 1.
    params: toParams(endpoint.path, Type.String()),
    describedParams: toParams(endpoint.path, described(endpoint)),
    query: route.query,
    produces: {
      accepts: route.response && JSON_MEDIA,
      responses: (_, request) => v1Responses(route.summary, route.response, request),
    },
    exampleErrors: [
      notFound(endpoint.subject),
      route.response ? notAcceptable(JSON_MEDIA.slice(0, 1)) : codingNotAcceptable(),
      toExampleGone(endpoint),
    ],
    handle(call, services: Pick<RouteServices, 'clock' | 'queries'> & V1Services) {
      const { site: model } = call
      const v1Call = { model, now: services.clock.now(), query: call.query, services }
      const found = findSubject(call.params, endpoint.subject, model)
      return services.queries.run(call, route.estimateCost(v1Call, found), () => route.handle(v1Call, found))
    },
    // A rejected call counts too: the partner's program still makes it.
    onSent({ caller }, status, { v1Usage }: Pick<RouteServices, 'v1Usage'>) {
      if (caller) v1Usage.count(caller.partnerUuid, endpoint.path, status)
    },
  })

const toParams = <T extends typeof LegacyId | ReturnType<typeof Type.String>>(path: string, schema: T) =>
  Type.Object(Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, schema])))

const described = ({ subject }: V1Endpoint) =>
  about(
    LegacyId,
    `The identifier of the ${subject} in version 1.`,
    { space: EXAMPLE.spaceId, building: EXAMPLE.buildingId, site: EXAMPLE.siteId, tenant: 1 }[subject],
  )

const toOperationId = (path: string): string =>
  `get${[...path.matchAll(/(?<![{\w])\w+/g)].map(([word]) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}`

const toTag = ({ subject }: V1Endpoint): string =>
  ({ space: 'Spaces', building: 'Buildings', site: 'Sites', tenant: 'Tenant' })[subject]

const describeFate = ({ state, replacement }: V1Endpoint): string => {
  if (replacement !== null) return `In version 2: GET ${replacement}.`
  return state === 'awaiting-v2'
    ? 'Version 2 will have it in a later release.'
    : 'Version 2 will not have it.'
}

/** Every route of version 1, in the order of the catalogue. */
export const V1_ROUTES: readonly Route[] = V1_CATALOGUE.map((endpoint) =>
  toRoute(endpoint, HANDLERS[endpoint.path]),
)
