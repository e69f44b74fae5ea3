import { AddedGateway, Gateway, NewGateway } from '@portico/wire/operator/gateway'
import { NoQuery, Page } from '@portico/wire/page'
import { about } from '@portico/wire/about'
import { EXAMPLE } from '@portico/wire/example-ids'
import { Uuid } from '@portico/wire/uuid'
import { Type } from 'typebox'
import { JsonRecords, jsonPieces } from '../../pipeline/body/json-pieces.ts'
import { jsonAlways, nothing } from '../../pipeline/produces.ts'
import { JSON_TYPE, jsonReply, NO_CONTENT } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { toBody } from '../../pipeline/body/streamed-body.ts'
import { toActor, OPERATOR_GATES } from '../surface.ts'
import type { Services } from '../../services.ts'
import { requireSiteInPath, SiteParams } from '../sites/site.ts'
import { toWireAddedGateway, toWireGateway } from './convert.ts'

const siteUuid = about(Uuid, 'The siteUuid of a site.', EXAMPLE.siteUuid)
const GatewayParams = Type.Object({
  siteUuid,
  gatewayUuid: about(
    Uuid,
    'The gatewayUuid of a gateway, from GET /sites/{siteUuid}/gateways.',
    EXAMPLE.gatewayUuid,
  ),
})

export const listGateways = defineRoute({
  method: 'GET',
  path: '/sites/{siteUuid}/gateways',
  operationId: 'listGateways',
  summary: 'List the gateways of a site',
  description:
    'Their names and user names at the MQTT broker. A password is shown only when its gateway is added.',
  tags: ['Gateways'],
  gates: OPERATOR_GATES,
  params: SiteParams,
  query: NoQuery,
  produces: jsonAlways(200, 'The gateways', Page(Gateway)),
  errors: ['forbidden', 'not-found'],
  async handle(call, { gateways, siteDirectory }: Pick<Services, 'gateways' | 'siteDirectory'>) {
    const { siteUuid } = (await requireSiteInPath(call, { siteDirectory })).site
    const all = await gateways.list(siteUuid)
    const pagination = { nextCursor: null, hasMore: false }
    const pieces = () => jsonPieces({ data: new JsonRecords(all, toWireGateway), pagination })
    return { status: 200, type: JSON_TYPE, body: toBody(pieces, all.length) }
  },
})

export const addGateway = defineRoute({
  method: 'POST',
  path: '/sites/{siteUuid}/gateways',
  operationId: 'addGateway',
  summary: 'Add a gateway account',
  description: 'The account may publish and subscribe only to topics of its own site.',
  tags: ['Gateways'],
  gates: OPERATOR_GATES,
  params: SiteParams,
  query: NoQuery,
  body: NewGateway,
  produces: jsonAlways(201, 'The account with its password', AddedGateway),
  errors: ['forbidden', 'not-found'],
  async handle(call, { gateways, mqttUrl }: Pick<Services, 'gateways' | 'mqttUrl'>) {
    const siteUuid = call.params.siteUuid.toLowerCase()
    const gateway = await gateways.add(siteUuid, call.body, toActor(call))
    return jsonReply(toWireAddedGateway(gateway, mqttUrl), 201, ['cache-control', 'no-store'])
  },
})

export const removeGateway = defineRoute({
  method: 'DELETE',
  path: '/sites/{siteUuid}/gateways/{gatewayUuid}',
  operationId: 'removeGateway',
  summary: 'Remove a gateway account',
  description: 'Connections of the account to the embedded broker are closed within five seconds.',
  tags: ['Gateways'],
  gates: OPERATOR_GATES,
  params: GatewayParams,
  query: NoQuery,
  produces: nothing('Removed'),
  errors: ['forbidden', 'not-found'],
  async handle(call, { gateways }: Pick<Services, 'gateways'>) {
    const { siteUuid, gatewayUuid } = call.params
    await gateways.remove(siteUuid.toLowerCase(), gatewayUuid.toLowerCase(), toActor(call))
    return NO_CONTENT
  },
})
