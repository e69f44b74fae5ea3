import { NoQuery } from '@portico/wire/page'
import { Inventory } from '@portico/wire/operator/inventory'
import { Uuid } from '@portico/wire/uuid'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { responses } from '../../responses.ts'
import type { Services } from '../../services.ts'
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
  app.get<{ Params: { siteUuid: string } }>('/inventory/:siteUuid', { schema }, async (request) =>
    toWireInventory(await inventory.export(request.params.siteUuid.toLowerCase())),
  )
}
