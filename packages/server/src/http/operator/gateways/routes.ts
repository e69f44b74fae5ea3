import { AddedGateway, Gateway, NewGateway } from '@portico/wire/operator/gateway'
import { NoQuery, Page } from '@portico/wire/page'
import { Uuid } from '@portico/wire/uuid'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { notFound } from '../../../errors.ts'
import { JsonRecords, jsonPieces } from '../../json-pieces.ts'
import { noContent, responses } from '../../responses.ts'
import type { Services } from '../../services.ts'
import { toBody } from '../../streamed-body.ts'
import { actorOf } from '../actor.ts'
import { toWireAddedGateway, toWireGateway } from './convert.ts'

const SiteParams = Type.Object({ siteUuid: Uuid })
const GatewayParams = Type.Object({ siteUuid: Uuid, gatewayUuid: Uuid })

/** The MQTT accounts of a site's gateways: three short routes that belong together. */
export function gatewayRoutes(app: FastifyInstance, { gateways, siteDirectory }: Services): void {
  app.get<{ Params: { siteUuid: string } }>(
    '/sites/:siteUuid/gateways',
    {
      schema: {
        operationId: 'listGateways',
        summary: 'List the gateways of a site',
        tags: ['Gateways'],
        params: SiteParams,
        querystring: NoQuery,
        response: responses(200, 'The gateways', Page(Gateway), 'forbidden', 'not-found'),
      },
    },
    async (request, reply) => {
      const siteUuid = request.params.siteUuid.toLowerCase()
      if (!(await siteDirectory.find(siteUuid))) throw notFound('site')
      const all = await gateways.list(siteUuid)
      const pagination = { nextCursor: null, hasMore: false }
      reply.header('content-type', 'application/json; charset=utf-8')
      return toBody(() => jsonPieces({ data: new JsonRecords(all, toWireGateway), pagination }), all.length)
    },
  )

  app.post<{ Params: { siteUuid: string }; Body: { name: string } }>(
    '/sites/:siteUuid/gateways',
    {
      schema: {
        operationId: 'addGateway',
        summary: 'Add a gateway account',
        description: 'It may publish and subscribe only under its own site’s topics.',
        tags: ['Gateways'],
        params: SiteParams,
        body: NewGateway,
        querystring: NoQuery,
        response: responses(201, 'The account with its password', AddedGateway, 'forbidden', 'not-found'),
      },
    },
    async (request, reply) => {
      const siteUuid = request.params.siteUuid.toLowerCase()
      const gateway = await gateways.add(siteUuid, request.body, actorOf(request))
      reply.status(201).header('cache-control', 'no-store')
      return toWireAddedGateway(gateway)
    },
  )

  app.delete<{ Params: { siteUuid: string; gatewayUuid: string } }>(
    '/sites/:siteUuid/gateways/:gatewayUuid',
    {
      schema: {
        operationId: 'removeGateway',
        summary: 'Remove a gateway account',
        tags: ['Gateways'],
        params: GatewayParams,
        querystring: NoQuery,
        response: noContent('Removed', 'forbidden', 'not-found'),
      },
    },
    async (request, reply) => {
      const { siteUuid, gatewayUuid } = request.params
      await gateways.remove(siteUuid.toLowerCase(), gatewayUuid.toLowerCase(), actorOf(request))
      return reply.status(204).send()
    },
  )
}
