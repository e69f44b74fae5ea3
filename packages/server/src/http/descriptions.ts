import { EVENT_SCHEMAS } from '@portico/wire/v2/event'
import { NOTICE_SCHEMAS } from '@portico/wire/v2/webhook'
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
        tags: {
          Account: 'Your own roles, secrets and limits.',
          Sites: 'The sites granted to you.',
          Spaces: 'Rooms and other spaces, and what is measured in them.',
          Devices: 'Meters, sensors and controllable devices.',
          Batch: 'Many series, or the latest values of many spaces, in one request.',
          Export: 'Readings and windows in bulk, as NDJSON, CSV or Parquet.',
          Control: 'Schedules and commands.',
          Events: 'What happened on a site, in order: as a list, by long polling or as a stream.',
          'Metric types': 'What can be measured.',
          Migration: 'Help with moving from version 1.',
          Sandbox: 'Simulated devices.',
          Webhooks: 'Events sent to your backend.',
        },
        routes: V2_ROUTES,
        webhooks: { ...EVENT_SCHEMAS, ...NOTICE_SCHEMAS },
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
        tags: {
          Spaces: 'Data of a space.',
          Buildings: 'Data of a building.',
          Sites: 'Data of a site.',
          Tenant: 'The logo.',
        },
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
        tags: {
          Sites: 'Sites with their devices and commands.',
          Inventory: 'Sites with their buildings, spaces and devices.',
          Gateways: 'Accounts at the MQTT broker, and rejected messages.',
          Readings: 'Import and export of measured values.',
          Partners: 'Clients of the API.',
          Secrets: 'Credentials of partners.',
          Keys: 'The keys that sign tokens.',
          Migration: 'Partners that still call version 1.',
          'Version 1': 'End dates of version 1.',
          Images: 'Logo and images of buildings.',
          Webhooks: 'The webhooks of all partners.',
          Health: 'Whether anything is wrong.',
          Console: 'Browsers that are signed in to the web console.',
          Audit: 'Who did what.',
        },
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
