import { NoQuery } from '@portico/wire/page'
import { AddedSecret, NewSecret } from '@portico/wire/operator/partner'
import { about } from '@portico/wire/about'
import { EXAMPLE } from '@portico/wire/example-ids'
import { Uuid } from '@portico/wire/uuid'
import { Type } from 'typebox'
import { jsonAlways, nothing } from '../../pipeline/produces.ts'
import { jsonReply, NO_CONTENT } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { toActor, OPERATOR_GATES } from '../surface.ts'
import { toWireAddedSecret } from './convert.ts'
import { PartnerParams } from './routes.ts'
import { tooManySecrets } from '../../../domain/identity/partner/service.ts'
import type { Services } from '../../services.ts'

export const addSecret = defineRoute({
  method: 'POST',
  path: '/partners/{partnerUuid}/secrets',
  operationId: 'addSecret',
  summary: 'Add a secret',
  description:
    'A partner can have up to five valid secrets, so that one can be replaced without an interruption.',
  tags: ['Secrets'],
  gates: OPERATOR_GATES,
  params: PartnerParams,
  query: NoQuery,
  body: NewSecret,
  isBodyOptional: true,
  produces: jsonAlways(201, 'The secret with its value', AddedSecret),
  errors: ['forbidden', 'not-found', 'conflict'],
  exampleErrors: [tooManySecrets()],
  async handle(call, { partners }: Pick<Services, 'partners'>) {
    const partnerUuid = call.params.partnerUuid.toLowerCase()
    const secret = await partners.addSecret(partnerUuid, call.body.expiresInDays, toActor(call))
    return jsonReply(toWireAddedSecret(secret), 201, ['cache-control', 'no-store'])
  },
})

export const removeSecret = defineRoute({
  method: 'DELETE',
  path: '/partners/{partnerUuid}/secrets/{secretId}',
  operationId: 'removeSecret',
  summary: 'Remove a secret',
  description:
    'No more tokens are issued for it. Tokens already issued stay valid until they expire; disable the partner to revoke those too.',
  tags: ['Secrets'],
  gates: OPERATOR_GATES,
  params: Type.Object(
    {
      ...PartnerParams.properties,
      secretId: about(Uuid, 'The secretId of a secret, from GET /partners/{partnerUuid}.', EXAMPLE.secretId),
    },
    { additionalProperties: false },
  ),
  query: NoQuery,
  produces: nothing('Removed'),
  errors: ['forbidden', 'not-found'],
  async handle(call, { partners }: Pick<Services, 'partners'>) {
    const { partnerUuid, secretId } = call.params
    await partners.removeSecret(partnerUuid.toLowerCase(), secretId.toLowerCase(), toActor(call))
    return NO_CONTENT
  },
})
