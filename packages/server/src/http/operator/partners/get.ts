import { NoQuery } from '@portico/wire/page'
import { PartnerWithSecrets } from '@portico/wire/operator/partner'
import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { responses } from '../../responses.ts'
import type { Services } from '../../services.ts'
import { toWirePartner, toWireSecret } from './convert.ts'
import { PartnerParams } from './params.ts'

const schema = {
  operationId: 'getPartner',
  summary: 'Read a partner and its secrets',
  description: 'Secrets are listed with id, hint, expiry and last use, never with their value.',
  tags: ['Partners'],
  params: PartnerParams,
  querystring: NoQuery,
  response: responses(200, 'The partner', PartnerWithSecrets, 'forbidden', 'not-found'),
}

export function getPartner(app: FastifyInstance, { partners }: Services): void {
  app.get<{ Params: Static<typeof PartnerParams> }>('/partners/:partnerUuid', { schema }, async (request) => {
    const { partner, secrets } = await partners.get(request.params.partnerUuid.toLowerCase())
    return { ...toWirePartner(partner), secrets: secrets.map(toWireSecret) }
  })
}
