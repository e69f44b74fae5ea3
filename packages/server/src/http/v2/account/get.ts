import { NoQuery } from '@portico/wire/page'
import { Account } from '@portico/wire/v2/account'
import { anyRole } from '../../pipeline/gates.ts'
import { json } from '../../pipeline/produces.ts'
import { jsonReply } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { type AccountServices, loadAccount } from '../../resources/account.ts'
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
  handle: async ({ caller }, services: AccountServices) => jsonReply(await loadAccount(caller, services)),
})
