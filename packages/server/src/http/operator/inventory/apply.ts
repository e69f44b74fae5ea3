import { NoQuery } from '@portico/wire/page'
import { Inventory, InventoryChanges } from '@portico/wire/operator/inventory'
import type { FastifyInstance } from 'fastify'
import { MAX_INVENTORY_BYTES } from '../../limits.ts'
import { responses } from '../../responses.ts'
import type { Services } from '../../services.ts'
import { actorOf } from '../actor.ts'
import { fromWireInventory } from './convert.ts'

const schema = {
  operationId: 'applyInventory',
  summary: 'Make a site be as the document says',
  description:
    'Idempotent. What the document no longer names is archived: not found any more, while its past still counts.',
  tags: ['Inventory'],
  body: Inventory,
  querystring: NoQuery,
  response: responses(200, 'What changed', InventoryChanges, 'forbidden', 'conflict', 'payload-too-large'),
}

export function applyInventory(app: FastifyInstance, { inventory }: Services): void {
  app.put<{ Body: Inventory }>('/inventory', { schema, bodyLimit: MAX_INVENTORY_BYTES }, async (request) =>
    inventory.apply(fromWireInventory(request.body), actorOf(request)),
  )
}
