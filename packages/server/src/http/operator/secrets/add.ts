import { NoQuery } from '@portico/wire/page'
import { AddedSecret, NewSecret } from '@portico/wire/operator/partner'
import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { emptyBodyAsObject } from '../../plugins/empty-body.ts'
import { responses } from '../../responses.ts'
import type { Services } from '../../services.ts'
import { actorOf } from '../actor.ts'
import { toWireAddedSecret } from '../partners/convert.ts'
import { PartnerParams } from '../partners/params.ts'

const schema = {
  operationId: 'addSecret',
  summary: 'Add a secret',
  description: 'Up to five live at once, so that a partner can change over without a gap.',
  tags: ['Secrets'],
  params: PartnerParams,
  body: NewSecret,
  querystring: NoQuery,
  response: responses(201, 'The secret with its value', AddedSecret, 'forbidden', 'not-found', 'conflict'),
}

export function addSecret(app: FastifyInstance, { partners }: Services): void {
  app.post<{ Params: Static<typeof PartnerParams>; Body: Static<typeof NewSecret> }>(
    '/partners/:partnerUuid/secrets',
    { schema, preValidation: emptyBodyAsObject },
    async (request, reply) => {
      const secret = await partners.addSecret(
        request.params.partnerUuid.toLowerCase(),
        request.body.expiresInDays,
        actorOf(request),
      )
      reply.status(201).header('cache-control', 'no-store')
      return toWireAddedSecret(secret)
    },
  )
}
