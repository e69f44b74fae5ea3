import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SERVER } from '../audit/audit.ts'
import type { Config } from '../config/config.ts'
import type { Services } from '../http/services.ts'
import { PARTNER_ROLES } from '../partner/partner.ts'
import type { Store } from '../store/store.ts'
import { DEMO_SITE } from './site.ts'

const PARTNER_NAME = 'Demo partner'
const OPERATOR_NAME = 'Demo operator'

interface Credentials {
  clientId: string
  clientSecret: string
}

/** Makes the demo on an empty store, writes demo.env and answers with what to print. */
export async function prepareDemo(config: Config, services: Services, store: Store): Promise<string> {
  const file = join(config.dataDir, 'demo.env')
  const known = readEnv(file)
  await store.sites.add(DEMO_SITE, {
    at: services.clock.now(),
    actor: SERVER,
    action: 'site.added',
    target: DEMO_SITE.siteUuid,
    detail: { siteName: DEMO_SITE.siteName },
  })
  const partner = await ensure(services, PARTNER_NAME, [DEMO_SITE.siteUuid], {
    clientId: known.get('CLIENT_ID'),
    clientSecret: known.get('CLIENT_SECRET'),
  })
  const operator = await ensure(services, OPERATOR_NAME, [], {
    clientId: known.get('OPERATOR_CLIENT_ID'),
    clientSecret: known.get('OPERATOR_CLIENT_SECRET'),
  })
  const { addresses } = services
  writeEnv(file, {
    BASE_URL: addresses.baseUrl,
    BASE_URL_V1: addresses.baseUrlV1,
    AUTH_URL: addresses.authUrl,
    CLIENT_ID: partner.clientId,
    CLIENT_SECRET: partner.clientSecret,
    SITE_ID: DEMO_SITE.siteUuid,
    OPERATOR_URL: addresses.operatorUrl,
    OPERATOR_CLIENT_ID: operator.clientId,
    OPERATOR_CLIENT_SECRET: operator.clientSecret,
  })
  return banner(addresses.publicUrl, file)
}

/** The partner of this name with credentials that work: those of the file when it has them, else new ones. */
async function ensure(
  { partners }: Services,
  name: string,
  sites: string[],
  known: { clientId: string | undefined; clientSecret: string | undefined },
): Promise<Credentials> {
  const found = (await partners.list({ after: undefined, limit: 1000 })).find(
    (partner) => partner.name === name,
  )
  if (!found) {
    const roles = name === OPERATOR_NAME ? (['Operator'] as const) : PARTNER_ROLES
    const { partner, secret } = await partners.add({ name, sites, roles }, SERVER)
    return { clientId: partner.clientId, clientSecret: secret.clientSecret }
  }
  if (found.clientId === known.clientId && known.clientSecret) {
    return { clientId: known.clientId, clientSecret: known.clientSecret }
  }
  const { secrets } = await partners.get(found.partnerUuid)
  for (const { secretId } of secrets) await partners.removeSecret(found.partnerUuid, secretId, SERVER)
  const { clientSecret } = await partners.addSecret(found.partnerUuid, undefined, SERVER)
  return { clientId: found.clientId, clientSecret }
}

function readEnv(file: string): Map<string, string> {
  if (!existsSync(file)) return new Map()
  const lines = readFileSync(file, 'utf8').split('\n')
  return new Map(
    lines.map((line): [string, string] => {
      const equals = line.indexOf('=')
      return [line.slice(0, equals), line.slice(equals + 1)]
    }),
  )
}

/** Written beside and renamed, so that a reader sees a whole file or none. */
function writeEnv(file: string, values: Record<string, string>): void {
  const text = Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
  const beside = `${file}.new`
  writeFileSync(beside, text, { mode: 0o600 })
  chmodSync(beside, 0o600)
  renameSync(beside, file)
}

const banner = (publicUrl: string, file: string): string => `
Portico is ready at ${publicUrl}

The demo's credentials are in ${file}. To call the API, paste:

  set -a; . ${file}; set +a
  TOKEN=$(curl -s "$AUTH_URL/oauth2/v2.0/token" -d grant_type=client_credentials -d client_id=$CLIENT_ID \\
    -d client_secret=$CLIENT_SECRET -d scope=api://$CLIENT_ID/.default | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
  curl -H "Authorization: Bearer $TOKEN" "$BASE_URL/sites"

`
