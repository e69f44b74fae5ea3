import { NoQuery } from '@portico/wire/page'
import { RotatedKey, RotateKeys } from '@portico/wire/operator/key'
import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { emptyBodyAsObject } from '../../plugins/empty-body.ts'
import { responses } from '../../responses.ts'
import type { Services } from '../../services.ts'
import { actorOf } from '../actor.ts'

const schema = {
  operationId: 'rotateKeys',
  summary: 'Rotate the signing key',
  description: 'New tokens carry the new key at once; the old key verifies until its last token has expired.',
  tags: ['Keys'],
  body: RotateKeys,
  querystring: NoQuery,
  response: responses(200, 'The new key’s id', RotatedKey, 'forbidden'),
}

export function rotateKeys(app: FastifyInstance, { keys }: Services): void {
  app.post<{ Body: Static<typeof RotateKeys> }>(
    '/keys/rotate',
    { schema, preValidation: emptyBodyAsObject },
    async (request) =>
      keys.rotate({ revokePrevious: request.body.revokePrevious ?? false }, actorOf(request)),
  )
}
