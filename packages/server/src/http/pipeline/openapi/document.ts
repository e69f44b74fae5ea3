import { DESCRIBED_AS, USE } from '@portico/wire/about'
import { EXAMPLE } from '@portico/wire/example-ids'
import type { TSchema } from 'typebox'
import { type ExampleSchema, toExample, withExamples } from './example.ts'
import { toExampleRequest } from './example-request.ts'
import { extractComponents } from './extract-components.ts'
import { addResponseHeaders } from './response-headers.ts'
import type { Route } from '../route.ts'

/** The parts of an OpenAPI document that are not derived from routes. */
export interface ApiDescription {
  title: string
  description: string
  serverUrl: string
  tokenUrl: string
  /** Whether its responses carry ETags and rate-limit headers. */
  isPartnerApi: boolean
  /** Descriptions of the tags. */
  tags: Readonly<Record<string, string>>
  routes: readonly Route[]
  /** Bodies of the requests that the server sends to partners, by event type. */
  webhooks?: Readonly<Record<string, TSchema>>
}

/** Surfaces that have an OpenAPI document, by document name. */
export type ApiDocuments = ReadonlyMap<string, ApiDescription>

const SITE_HEADER = {
  name: 'SiteId',
  in: 'header',
  required: true,
  description: 'The site of the request; GET /v2/sites lists the sites granted to you.',
  schema: { type: 'string', format: 'uuid' },
  example: EXAMPLE.siteUuid,
}

const CONDITION_HEADER = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'The ETag of an earlier response: 304 if nothing has changed. A 304 does not count against the rate limit, except for `*`.',
  schema: { type: 'string' },
  example: '"Jx2…"',
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
    tags: Object.entries(api.tags).map(([tag, description]) => ({ name: tag, description })),
    paths: toPaths(api),
    ...(api.webhooks ? { webhooks: toWebhooks(api.webhooks) } : {}),
    servers: [{ url: api.serverUrl }],
    security: [{ machineCredentials: [] }],
  }
  return extractComponents(addResponseHeaders(document, { name, isPartnerApi: api.isPartnerApi }))
}

const toWebhooks = (webhooks: NonNullable<ApiDescription['webhooks']>): object =>
  Object.fromEntries(
    Object.entries(webhooks).map(([type, schema]) => [
      type,
      {
        post: {
          operationId: `on${type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}`,
          summary: (schema as { description?: string }).description,
          description: `Sent to webhooks that accept events of the type \`${type}\`. Respond with 2xx within 15 seconds.`,
          tags: ['Events'],
          requestBody: { required: true, ...toBody(schema) },
          responses: {
            '2XX': { description: 'The event was received.' },
            '4XX': { description: 'The event was not accepted.' },
          },
        },
      },
    ]),
  )

function toPaths({
  routes,
  serverUrl,
  isPartnerApi,
}: ApiDescription): Record<string, Record<string, object>> {
  const { pathname } = new URL(serverUrl)
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const item = (paths[route.path] ??= {})
    item[route.method.toLowerCase()] = toOperation(route, pathname, isPartnerApi)
  }
  return paths
}

function toOperation(route: Route, basePath: string, isPartnerApi: boolean): object {
  const { operationId, summary, tags, description, deprecated, produces, errors = [] } = route
  const isConditional = isPartnerApi && route.method === 'GET' && produces.isLive !== true
  const body = route.describedContent ?? toBody(route.body ?? route.describedBody)
  const role = route.gates.flatMap((gate) => gate.role ?? [])[0]
  const parameters = [
    ...toParameters(route.query, 'query'),
    ...toParameters(route.describedParams ?? route.params, 'path'),
    ...toParameters(route.headers, 'header'),
    ...(route.gates.some(({ isSite }) => isSite) ? [SITE_HEADER] : []),
    ...(isConditional ? [CONDITION_HEADER] : []),
  ]
  const responses = produces.responses(errors, toExampleRequest(route, basePath))
  return {
    operationId,
    summary,
    tags,
    ...(description === undefined ? {} : { description }),
    ...(role === undefined ? {} : { 'x-required-role': role }),
    ...(body ? { requestBody: { required: route.isBodyOptional !== true, ...body } } : {}),
    ...(produces.alternatives ? { 'x-also-produces': produces.alternatives } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(deprecated ? { deprecated } : {}),
    responses: isConditional ? { ...responses, 304: NOT_MODIFIED } : responses,
  }
}

const toBody = (body: (ExampleSchema & { description?: string }) | undefined): object | undefined =>
  body && { description: body.description, content: { 'application/json': withExamples(body) } }

interface Property extends ExampleSchema {
  description?: string
  [DESCRIBED_AS]?: object
}

/** Header names in the spelling of RFCs; requests have them in lower case. */
const toHeaderName = (name: string): string =>
  name.replace(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase())

/** One parameter for each property of an object schema, with the property's description and example. */
function toParameters(schema: TSchema | undefined, location: 'query' | 'path' | 'header'): object[] {
  const { properties = {}, required = [] } = { ...schema } as {
    properties?: Record<string, Property>
    required?: readonly string[]
  }
  return Object.entries(properties).map(([name, property]) => {
    const { description, examples: _, [USE]: use, [DESCRIBED_AS]: described, ...validated } = property
    const text = use?.description ?? description
    return {
      // The description of a titled schema is part of its component.
      schema: described ?? (validated.title === undefined ? validated : { ...validated, description }),
      in: location,
      name: location === 'header' ? toHeaderName(name) : name,
      required: location === 'path' || required.includes(name),
      ...(text === undefined ? {} : { description: text }),
      ...((use?.examples ?? property.examples) || location === 'path'
        ? { example: toExample(property) }
        : {}),
    }
  })
}
