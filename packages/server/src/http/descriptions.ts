import { OPERATOR_ROUTES } from './operator/routes.ts'
import { type ApiDocuments, buildDocument } from './pipeline/openapi/document.ts'
import type { Services } from './services.ts'
import { V1_ROUTES } from './v1/surface.ts'
import { V2_ROUTES } from './v2/routes.ts'
import { type Config, toAddresses } from '../config/config.ts'

/** Surfaces that have OpenAPI documents. */
export function describeApis({ addresses }: Pick<Services, 'addresses'>): ApiDocuments {
  const { baseUrl, baseUrlV1, operatorUrl, authUrl } = addresses
  const tokenUrl = `${authUrl}/oauth2/v2.0/token`
  return new Map([
    [
      'v2',
      {
        title: 'Portico partner API, version 2',
        description: 'Building data and device control for a partner’s backend.',
        serverUrl: baseUrl,
        tokenUrl,
        isPartnerApi: true,
        routes: V2_ROUTES,
      },
    ],
    [
      'v1',
      {
        title: 'Portico partner API, version 1',
        description:
          'Deprecated: the headers of each response name the replacement of the endpoint and, if set, its end date. Use version 2 in new programs.',
        serverUrl: baseUrlV1,
        tokenUrl,
        isPartnerApi: true,
        routes: V1_ROUTES,
      },
    ],
    [
      'operator',
      {
        title: 'Portico operator API',
        description: 'For the platform team that runs the installation.',
        serverUrl: operatorUrl,
        tokenUrl,
        isPartnerApi: false,
        routes: OPERATOR_ROUTES,
      },
    ],
  ])
}

/** The OpenAPI document of every surface, by name, without a server or a store. */
export function buildApiDocuments(config: Config): Map<string, object> {
  const documents = describeApis({ addresses: toAddresses(config, config.port) })
  return new Map([...documents.keys()].map((name) => [name, buildDocument(documents, name)]))
}
