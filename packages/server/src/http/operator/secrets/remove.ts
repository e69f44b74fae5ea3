import { NoQuery } from '@portico/wire/page'
import { Uuid } from '@portico/wire/uuid'
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { noContent } from '../../responses.ts'
import type { Services } from '../../services.ts'
import { actorOf } from '../actor.ts'

const SecretParams = Type.Object({ partnerUuid: Uuid, secretId: Uuid }, { additionalProperties: false })

const schema = {
  operationId: 'removeSecret',
  summary: 'Remove a secret',
  description:
    'It gets no more tokens. Tokens it already got live out; disable the partner to void those too.',
  tags: ['Secrets'],
  params: SecretParams,
  querystring: NoQuery,
  response: noContent('Removed', 'forbidden', 'not-found'),
}

export function removeSecret(app: FastifyInstance, { partners }: Services): void {
  app.delete<{ Params: Static<typeof SecretParams> }>(
    '/partners/:partnerUuid/secrets/:secretId',
    { schema },
    async (request, reply) => {
      const { partnerUuid, secretId } = request.params
      await partners.removeSecret(partnerUuid.toLowerCase(), secretId.toLowerCase(), actorOf(request))
      return reply.status(204).send()
    },
  )
}
