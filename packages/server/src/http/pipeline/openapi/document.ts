import type { TSchema } from 'typebox'
import { addLimitHeaders } from './limit-headers.ts'
import { extractComponents } from './extract-components.ts'
import type { Route } from '../route.ts'

/** The parts of an OpenAPI document that are not derived from routes. */
export interface ApiDescription {
  title: string
  description: string
  serverUrl: string
  tokenUrl: string
  /** Whether its responses carry ETags and rate-limit headers. */
  isPartnerApi: boolean
  routes: readonly Route[]
}

/** Surfaces that have an OpenAPI document, by document name. */
export type ApiDocuments = ReadonlyMap<string, ApiDescription>

const SITE_HEADER = {
  name: 'SiteId',
  in: 'header',
  required: true,
  description: 'The site of the request; GET /v2/sites lists the sites granted to you.',
  schema: { type: 'string', format: 'uuid' },
}

const CONDITION_HEADER = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'The ETag of an earlier response: 304 if nothing has changed. A 304 is refunded to the rate limit, except for `*`.',
  schema: { type: 'string' },
}

const NOT_MODIFIED = { description: 'The response has not changed' }

/** The OpenAPI 3.1 document of a surface, derived from the schemas that validate its requests. */
export function buildDocument(documents: ApiDocuments, name: string): object {
  const api = documents.get(name)
  if (!api) throw new Error(`There is no API named ${name}.`)
  const document = {
    openapi: '3.1.0',
    info: {
      title: api.title,
      description: api.description,
      version: '0.1.0',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    components: {
      securitySchemes: {
        machineCredentials: {
          type: 'oauth2',
          description: 'The scope is always api://<client_id>/.default.',
          flows: { clientCredentials: { tokenUrl: api.tokenUrl, scopes: {} } },
        },
      },
    },
    paths: toPaths(api),
    servers: [{ url: api.serverUrl }],
    security: [{ machineCredentials: [] }],
  }
  return extractComponents(api.isPartnerApi ? addLimitHeaders(document) : document)
}

function toPaths({ routes, isPartnerApi }: ApiDescription): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const item = (paths[route.path] ??= {})
    item[route.method.toLowerCase()] = toOperation(route, isPartnerApi)
  }
  return paths
}

function toOperation(route: Route, isPartnerApi: boolean): object {
  const { operationId, summary, tags, description, deprecated, produces, errors = [] } = route
  const isConditional = isPartnerApi && route.method === 'GET'
  const body = route.body ?? route.describedBody
  const role = route.gates.flatMap((gate) => gate.role ?? [])[0]
  const parameters = [
    ...toParameters(route.query, 'query'),
    ...toParameters(route.describedParams ?? route.params, 'path'),
    ...toParameters(route.headers, 'header'),
    ...(route.gates.some(({ isSite }) => isSite) ? [SITE_HEADER] : []),
    ...(isConditional ? [CONDITION_HEADER] : []),
  ]
  const responses = produces.responses(errors)
  return {
    operationId,
    summary,
    tags,
    ...(description === undefined ? {} : { description }),
    ...(role === undefined ? {} : { 'x-required-role': role }),
    ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(deprecated ? { deprecated } : {}),
    responses: isConditional ? { ...responses, 304: NOT_MODIFIED } : responses,
  }
}

/** One parameter for each property of an object schema, with the property's description. */
function toParameters(schema: TSchema | undefined, location: 'query' | 'path' | 'header'): object[] {
  const { properties = {}, required = [] } = { ...schema } as {
    properties?: Record<string, { description?: string }>
    required?: readonly string[]
  }
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    schema: property,
    in: location,
    name,
    required: location === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
  }))
}
