import { about } from '@portico/wire/about'
import { EXAMPLE } from '@portico/wire/example-ids'
import { Uuid } from '@portico/wire/uuid'
import { Type } from 'typebox'
import {
  Partner,
  AddedPartner,
  NewPartner,
  PartnerWithSecrets,
  PartnerChanges,
} from '@portico/wire/operator/partner'
import { Page, PageQuery, NoQuery } from '@portico/wire/page'
import { pageReply, readPageQuery, toPage } from '../../pipeline/page-query.ts'
import { jsonAlways, page } from '../../pipeline/produces.ts'
import { text } from '../../pipeline/openapi/response-headers.ts'
import { jsonReply } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { OPERATOR_GATES, toActor } from '../surface.ts'
import { clientIdTaken } from '../../../domain/identity/partner/service.ts'
import type { Services } from '../../services.ts'
import { toWirePartner, toWireAddedPartner } from './convert.ts'
import { toWireSecret } from '../../resources/secret.ts'

export const PartnerParams = Type.Object(
  { partnerUuid: about(Uuid, 'The partnerUuid of a partner, from GET /partners.', EXAMPLE.partnerUuid) },
  { additionalProperties: false },
)

const LOCATION = {
  Location: text(
    'The address of the partner.',
    `https://api.example.com/operator/partners/${EXAMPLE.partnerUuid}`,
  ),
}

export const listPartners = defineRoute({
  method: 'GET',
  path: '/partners',
  operationId: 'listPartners',
  summary: 'List partners',
  description:
    'All partners, disabled ones included, without their secrets. GET /operator/partners/{partnerUuid} also lists the secrets, without their values.',
  tags: ['Partners'],
  gates: OPERATOR_GATES,
  query: PageQuery,
  produces: page('One page of partners', Page(Partner)),
  errors: ['forbidden'],
  async handle(call, services: Pick<Services, 'partners' | 'cursors' | 'addresses'>) {
    const scope = `operator/partners ${call.caller.partnerUuid}`
    const { limit, position } = readPageQuery(call.query, services, scope)
    const partners = await services.partners.list({ after: position, limit: limit + 1 })
    return pageReply(
      call,
      services,
      toPage(partners, limit, toWirePartner, ({ partnerUuid }) =>
        services.cursors.encode(scope, partnerUuid),
      ),
      limit,
    )
  },
})

export const addPartner = defineRoute({
  method: 'POST',
  path: '/partners',
  operationId: 'addPartner',
  summary: 'Add a partner with its first secret',
  description:
    'The response contains everything to pass on to the partner. The value of the secret is shown only once.',
  tags: ['Partners'],
  gates: OPERATOR_GATES,
  query: NoQuery,
  body: NewPartner,
  produces: jsonAlways(201, 'The partner and its credentials', AddedPartner, { headers: LOCATION }),
  errors: ['forbidden', 'conflict'],
  exampleErrors: [clientIdTaken()],
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

export const getPartner = defineRoute({
  method: 'GET',
  path: '/partners/{partnerUuid}',
  operationId: 'getPartner',
  summary: 'Read a partner and its secrets',
  description: 'Secrets are listed with id, hint, expiry and last use, never with their values.',
  tags: ['Partners'],
  gates: OPERATOR_GATES,
  params: PartnerParams,
  query: NoQuery,
  produces: jsonAlways(200, 'The partner', PartnerWithSecrets),
  errors: ['forbidden', 'not-found'],
  async handle(call, { partners }: Pick<Services, 'partners'>) {
    const { partner, secrets } = await partners.get(call.params.partnerUuid.toLowerCase())
    return jsonReply({ ...toWirePartner(partner), secrets: secrets.map(toWireSecret) })
  },
})

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
