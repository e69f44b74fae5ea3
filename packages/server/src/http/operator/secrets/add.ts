import { NoQuery } from '@portico/wire/page'
import { AddedSecret, NewSecret } from '@portico/wire/operator/partner'
import { jsonAlways } from '../../pipeline/produces.ts'
import { jsonReply } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { toActor } from '../actor.ts'
import { toWireAddedSecret } from '../partners/convert.ts'
import { PartnerParams } from '../partners/params.ts'
import { OPERATOR_GATES } from '../surface.ts'
import type { Services } from '../../services.ts'

export const addSecret = defineRoute({
  method: 'POST',
  path: '/partners/{partnerUuid}/secrets',
  operationId: 'addSecret',
  summary: 'Add a secret',
  description:
    'A partner can have up to five valid secrets, so that it can change over without an interruption.',
  tags: ['Secrets'],
  gates: OPERATOR_GATES,
  params: PartnerParams,
  query: NoQuery,
  body: NewSecret,
  isBodyOptional: true,
  produces: jsonAlways(201, 'The secret with its value', AddedSecret),
  errors: ['forbidden', 'not-found', 'conflict'],
  async handle(call, { partners }: Pick<Services, 'partners'>) {
    const partnerUuid = call.params.partnerUuid.toLowerCase()
    const secret = await partners.addSecret(partnerUuid, call.body.expiresInDays, toActor(call))
    return jsonReply(toWireAddedSecret(secret), 201, ['cache-control', 'no-store'])
  },
})
