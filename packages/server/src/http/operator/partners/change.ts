import { NoQuery } from '@portico/wire/page'
import { Partner, PartnerChanges } from '@portico/wire/operator/partner'
import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { responses } from '../../responses.ts'
import type { Services } from '../../services.ts'
import { actorOf } from '../actor.ts'
import { toWirePartner } from './convert.ts'
import { PartnerParams } from './params.ts'

const schema = {
  operationId: 'changePartner',
  summary: 'Change a partner',
  description:
    'Only the fields given change. Disabling voids every token the partner holds; enabling revives none. ' +
    'The last enabled partner with the role Operator cannot be disabled or lose the role: 409 `last-operator`.',
  tags: ['Partners'],
  params: PartnerParams,
  body: PartnerChanges,
  querystring: NoQuery,
  response: responses(200, 'The partner as it is now', Partner, 'forbidden', 'not-found', 'last-operator'),
}

export function changePartner(app: FastifyInstance, { partners }: Services): void {
  app.patch<{ Params: Static<typeof PartnerParams>; Body: PartnerChanges }>(
    '/partners/:partnerUuid',
    { schema },
    async (request) =>
      toWirePartner(
        await partners.change(request.params.partnerUuid.toLowerCase(), request.body, actorOf(request)),
      ),
  )
}
