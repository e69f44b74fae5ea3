import { NoQuery } from '@portico/wire/page'
import { Partner, PartnerChanges } from '@portico/wire/operator/partner'
import { jsonAlways } from '../../pipeline/produces.ts'
import { jsonReply } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { toActor } from '../actor.ts'
import { OPERATOR_GATES } from '../surface.ts'
import type { Services } from '../../services.ts'
import { toWirePartner } from './convert.ts'
import { PartnerParams } from './params.ts'

export const changePartner = defineRoute({
  method: 'PATCH',
  path: '/partners/{partnerUuid}',
  operationId: 'changePartner',
  summary: 'Change a partner',
  description:
    'Only the given fields change. Disabling revokes all tokens of the partner; enabling does not restore them. ' +
    'The last enabled partner with the role Operator cannot be disabled or lose the role: 409 `last-operator`.',
  tags: ['Partners'],
  gates: OPERATOR_GATES,
  params: PartnerParams,
  query: NoQuery,
  body: PartnerChanges,
  produces: jsonAlways(200, 'The changed partner', Partner),
  errors: ['forbidden', 'not-found', 'last-operator'],
  async handle(call, { partners }: Pick<Services, 'partners'>) {
    const partnerUuid = call.params.partnerUuid.toLowerCase()
    return jsonReply(toWirePartner(await partners.change(partnerUuid, call.body, toActor(call))))
  },
})
