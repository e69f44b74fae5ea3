import { NoQuery } from '@portico/wire/page'
import { Inventory, InventoryChanges } from '@portico/wire/operator/inventory'
import { MAX_INVENTORY_BYTES } from '../../pipeline/limits.ts'
import { jsonAlways } from '../../pipeline/produces.ts'
import { jsonReply } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { toActor } from '../actor.ts'
import { OPERATOR_GATES } from '../surface.ts'
import type { Services } from '../../services.ts'
import { fromWireInventory } from './convert.ts'

export const applyInventory = defineRoute({
  method: 'PUT',
  path: '/inventory',
  operationId: 'applyInventory',
  summary: 'Apply an inventory document to a site',
  description:
    'Makes the site match the document. Idempotent. Records that are no longer in the document are archived: they are no longer returned, but their past readings still count.',
  tags: ['Inventory'],
  gates: OPERATOR_GATES,
  query: NoQuery,
  body: Inventory,
  bodyLimit: MAX_INVENTORY_BYTES,
  produces: jsonAlways(200, 'What changed', InventoryChanges),
  errors: ['forbidden', 'conflict', 'payload-too-large'],
  handle: async (call, { inventory }: Pick<Services, 'inventory'>) =>
    jsonReply(await inventory.apply(fromWireInventory(call.body), toActor(call))),
})
