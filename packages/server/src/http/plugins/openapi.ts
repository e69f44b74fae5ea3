import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { addLimitHeaders } from '../openapi/limit-headers.ts'
import { nameSchemas } from '../openapi/name-schemas.ts'
import { addReadParts } from '../openapi/read-parts.ts'
import type { Services } from '../services.ts'

export interface SurfaceDescription {
  title: string
  description: string
  serverUrl: string
  /** Operations that need no SiteId, where the others do. */
  withoutSite?: readonly string[]
  /** Last changes to the document, for what its schemas cannot say. */
  amend?<T extends object>(document: T): T
}

/** Describes the routes of one scope as OpenAPI 3.1, from the schemas that validate them. */
export async function describeSurface(
  app: FastifyInstance,
  { addresses }: Services,
  surface: SurfaceDescription,
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: surface.title,
        description: surface.description,
        version: '0.1.0',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: surface.serverUrl }],
      components: {
        securitySchemes: {
          machineCredentials: {
            type: 'oauth2',
            description: 'The scope is always api://<client_id>/.default.',
            flows: { clientCredentials: { tokenUrl: `${addresses.authUrl}/oauth2/v2.0/token`, scopes: {} } },
          },
        },
      },
      security: [{ machineCredentials: [] }],
    },
    transformObject: (documentObject) => {
      if (!('openapiObject' in documentObject)) return documentObject.swaggerObject
      const document = documentObject.openapiObject
      const withReads = surface.withoutSite
        ? addLimitHeaders(addReadParts(document, surface.withoutSite))
        : document
      return nameSchemas(surface.amend ? surface.amend(withReads) : withReads)
    },
  })
}
