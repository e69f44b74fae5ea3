import { NoQuery } from '@portico/wire/page'
import { Uuid } from '@portico/wire/uuid'
import { Type } from 'typebox'
import { nothing } from '../../pipeline/produces.ts'
import { NO_CONTENT } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { toActor } from '../actor.ts'
import { OPERATOR_GATES } from '../surface.ts'
import type { Services } from '../../services.ts'

export const removeSecret = defineRoute({
  method: 'DELETE',
  path: '/partners/{partnerUuid}/secrets/{secretId}',
  operationId: 'removeSecret',
  summary: 'Remove a secret',
  description:
    'No more tokens are issued for it. Tokens already issued stay valid until they expire; disable the partner to revoke those too.',
  tags: ['Secrets'],
  gates: OPERATOR_GATES,
  params: Type.Object({ partnerUuid: Uuid, secretId: Uuid }, { additionalProperties: false }),
  query: NoQuery,
  produces: nothing('Removed'),
  errors: ['forbidden', 'not-found'],
  async handle(call, { partners }: Pick<Services, 'partners'>) {
    const { partnerUuid, secretId } = call.params
    await partners.removeSecret(partnerUuid.toLowerCase(), secretId.toLowerCase(), toActor(call))
    return NO_CONTENT
  },
})
