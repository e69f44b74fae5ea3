import type { Account } from '@portico/wire/v2/account'
import type { Client } from '../../domain/identity/partner/store.ts'
import { getVersion } from '../../kernel/version.ts'
import type { RouteServices } from '../pipeline/route.ts'
import { toWireSecret } from './secret.ts'
import { toWireSite } from './site.ts'

export type AccountServices = Pick<
  RouteServices,
  'sites' | 'partners' | 'rateLimits' | 'requestLimits' | 'webhooks'
>

/** Sites whose remaining requests are read: with shared counters, each costs a query. */
const MAX_REMAINING = 20

/** The remaining requests for the first sites; undefined if requests are not limited. */
async function loadRemaining(
  client: Client,
  siteUuids: readonly string[],
  { requestLimits }: Pick<RouteServices, 'requestLimits'>,
): Promise<Account['rateLimits']['remaining']> {
  const found = await Promise.all(
    siteUuids.slice(0, MAX_REMAINING).map(async (siteUuid) => {
      const remaining = await requestLimits.readRemaining(client, siteUuid)
      return remaining && { siteUuid, ...remaining }
    }),
  )
  return found.every((entry) => entry !== undefined) ? found : undefined
}

/** A partner's own account, as the API returns it. */
export async function loadAccount(client: Client, services: AccountServices): Promise<Account> {
  const { sites, partners, rateLimits, webhooks } = services
  const { partnerUuid, name, clientId, roles, rateLimits: own } = client
  const { secrets } = await partners.get(partnerUuid)
  const granted = await sites.list(client.sites)
  const siteUuids = granted.map(({ siteUuid }) => siteUuid)
  const remaining = await loadRemaining(client, siteUuids, services)
  return {
    partnerUuid,
    name,
    clientId,
    roles: [...roles],
    sites: granted.map(toWireSite),
    secrets: secrets.map(toWireSecret),
    rateLimits: {
      perMinute: own.perMinute ?? rateLimits.perMinute,
      per5Minutes: own.per5Minutes ?? rateLimits.per5Minutes,
      ...(remaining && { remaining }),
    },
    ...(webhooks && roles.includes('Webhooks.Manage') && { webhooks: await webhooks.count(partnerUuid) }),
    apiVersion: '2',
    serverVersion: getVersion(),
  }
}
