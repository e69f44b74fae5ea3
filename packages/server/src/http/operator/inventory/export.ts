import { NoQuery } from '@portico/wire/page'
import { Inventory } from '@portico/wire/operator/inventory'
import { Uuid } from '@portico/wire/uuid'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { JsonRecords, jsonPieces } from '../../json-pieces.ts'
import { responses } from '../../responses.ts'
import type { Services } from '../../services.ts'
import { toBody } from '../../streamed-body.ts'
import { toWireInventory } from './convert.ts'

const schema = {
  operationId: 'exportInventory',
  summary: 'Read a site as one document',
  description: 'Applying it again changes nothing.',
  tags: ['Inventory'],
  params: Type.Object({ siteUuid: Uuid }),
  querystring: NoQuery,
  response: responses(200, 'The document', Inventory, 'forbidden', 'not-found'),
}

export function exportInventory(app: FastifyInstance, { inventory }: Services): void {
  app.get<{ Params: { siteUuid: string } }>('/inventory/:siteUuid', { schema }, async (request, reply) => {
    const document = toWireInventory(await inventory.export(request.params.siteUuid.toLowerCase()))
    const { site, buildings, spaces, devices } = document
    reply.header('content-type', 'application/json; charset=utf-8')
    return toBody(
      () =>
        jsonPieces({
          site,
          buildings: new JsonRecords(buildings, asIs),
          spaces: new JsonRecords(spaces, asIs),
          devices: new JsonRecords(devices, asIs),
        }),
      buildings.length + spaces.length + devices.length,
    )
  })
}

const asIs = (record: object): object => record
