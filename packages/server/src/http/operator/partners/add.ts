import { NoQuery } from '@portico/wire/page'
import { AddedPartner, NewPartner } from '@portico/wire/operator/partner'
import { jsonAlways } from '../../pipeline/produces.ts'
import { jsonReply } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { toActor } from '../actor.ts'
import { OPERATOR_GATES } from '../surface.ts'
import type { Services } from '../../services.ts'
import { toWireAddedPartner } from './convert.ts'

export const addPartner = defineRoute({
  method: 'POST',
  path: '/partners',
  operationId: 'addPartner',
  summary: 'Add a partner with its first secret',
  description:
    'The response contains everything to hand over to the partner. The value of the secret is shown only once.',
  tags: ['Partners'],
  gates: OPERATOR_GATES,
  query: NoQuery,
  body: NewPartner,
  produces: jsonAlways(201, 'The partner and its credentials', AddedPartner),
  errors: ['forbidden', 'conflict'],
  async handle(call, { partners, addresses }: Pick<Services, 'partners' | 'addresses'>) {
    const added = await partners.add(call.body, toActor(call))
    const location = `${addresses.operatorUrl}/partners/${added.partner.partnerUuid}`
    return jsonReply(toWireAddedPartner(added, addresses), 201, [
      'location',
      location,
      'cache-control',
      'no-store',
    ])
  },
})
