import { NoQuery } from '@portico/wire/page'
import { AddedPartner, NewPartner } from '@portico/wire/operator/partner'
import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { responses } from '../../responses.ts'
import type { Services } from '../../services.ts'
import { actorOf } from '../actor.ts'
import { toWireAddedPartner } from './convert.ts'

const schema = {
  operationId: 'addPartner',
  summary: 'Add a partner with its first secret',
  description: 'The answer holds everything to hand over; the secret’s value is shown this once.',
  tags: ['Partners'],
  body: NewPartner,
  querystring: NoQuery,
  response: responses(201, 'The partner and its credentials', AddedPartner, 'forbidden', 'conflict'),
}

export function addPartner(app: FastifyInstance, { partners, addresses }: Services): void {
  app.post<{ Body: Static<typeof NewPartner> }>('/partners', { schema }, async (request, reply) => {
    const added = await partners.add(request.body, actorOf(request))
    reply
      .status(201)
      .header('location', `${addresses.operatorUrl}/partners/${added.partner.partnerUuid}`)
      .header('cache-control', 'no-store')
    return toWireAddedPartner(added, addresses)
  })
}
