import { NoQuery } from '@portico/wire/page'
import { PartnerWithSecrets } from '@portico/wire/operator/partner'
import { jsonAlways } from '../../pipeline/produces.ts'
import { jsonReply } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { OPERATOR_GATES } from '../surface.ts'
import type { Services } from '../../services.ts'
import { toWirePartner, toWireSecret } from './convert.ts'
import { PartnerParams } from './params.ts'

export const getPartner = defineRoute({
  method: 'GET',
  path: '/partners/{partnerUuid}',
  operationId: 'getPartner',
  summary: 'Read a partner and its secrets',
  description: 'Secrets are listed with id, hint, expiry and last use, never with their values.',
  tags: ['Partners'],
  gates: OPERATOR_GATES,
  params: PartnerParams,
  query: NoQuery,
  produces: jsonAlways(200, 'The partner', PartnerWithSecrets),
  errors: ['forbidden', 'not-found'],
  async handle(call, { partners }: Pick<Services, 'partners'>) {
    const { partner, secrets } = await partners.get(call.params.partnerUuid.toLowerCase())
    return jsonReply({ ...toWirePartner(partner), secrets: secrets.map(toWireSecret) })
  },
})
