import { NoQuery } from '@portico/wire/page'
import { Account } from '@portico/wire/v2/account'
import { getVersion } from '../../../kernel/version.ts'
import { anyRole } from '../../pipeline/gates.ts'
import { json } from '../../pipeline/produces.ts'
import { jsonReply } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import type { Services } from '../../services.ts'
import { toWireSecret } from '../../resources/secret.ts'
import { toWireSite } from '../../resources/site.ts'
import { PARTNER_GATES } from '../surface.ts'

export const getAccount = defineRoute({
  method: 'GET',
  path: '/account',
  operationId: 'getAccount',
  summary: 'Your own roles, sites, secrets and limits',
  description: 'Needs no SiteId header and no role. Secrets are listed without their values.',
  tags: ['Account'],
  gates: [...PARTNER_GATES, anyRole],
  query: NoQuery,
  produces: json('The account', Account),
  errors: ['rate-limited'],
  async handle(
    { caller },
    {
      sites,
      partners,
      rateLimits,
      webhooks,
    }: Pick<Services, 'sites' | 'partners' | 'rateLimits' | 'webhooks'>,
  ) {
    const { partnerUuid, name, clientId, roles, rateLimits: own } = caller
    const { secrets } = await partners.get(partnerUuid)
    const account: Account = {
      partnerUuid,
      name,
      clientId,
      roles: [...roles],
      sites: (await sites.list(caller.sites)).map(toWireSite),
      secrets: secrets.map(toWireSecret),
      rateLimits: {
        perMinute: own.perMinute ?? rateLimits.perMinute,
        per5Minutes: own.per5Minutes ?? rateLimits.per5Minutes,
      },
      ...(webhooks && roles.includes('Webhooks.Manage') && { webhooks: await webhooks.count(partnerUuid) }),
      apiVersion: '2',
      serverVersion: getVersion(),
    }
    return jsonReply(account)
  },
})
