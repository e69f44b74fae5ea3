import { NoQuery } from '@portico/wire/page'
import { Inventory, InventoryChanges } from '@portico/wire/operator/inventory'
import { about } from '@portico/wire/about'
import { EXAMPLE } from '@portico/wire/example-ids'
import { Uuid } from '@portico/wire/uuid'
import { Type } from 'typebox'
import { MAX_INVENTORY_BYTES } from '../../pipeline/limits.ts'
import { jsonAlways } from '../../pipeline/produces.ts'
import { jsonReply, JSON_TYPE } from '../../pipeline/reply.ts'
import { jsonBody } from '../../pipeline/body/json-body.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { toActor, OPERATOR_GATES } from '../surface.ts'
import { inventoryConflict } from '../../../domain/estate/inventory/service.ts'
import type { Services } from '../../services.ts'
import { NEW_SITE } from './example.ts'
import { fromWireInventory, toWireInventory, toWirePlan } from './convert.ts'
import { JsonRecords, jsonPieces } from '../../pipeline/body/json-pieces.ts'
import { toBody } from '../../pipeline/body/streamed-body.ts'

export const applyInventory = defineRoute({
  method: 'PUT',
  path: '/inventory',
  operationId: 'applyInventory',
  summary: 'Apply an inventory document to a site',
  description:
    'Makes the site match the document. Idempotent. Records that are no longer in the document are archived: they are no longer returned, but their past readings still count.',
  tags: ['Inventory'],
  gates: OPERATOR_GATES,
  query: Type.Object(
    {
      dryRun: Type.Optional(
        Type.Enum(['true', 'false'], {
          description: 'With true, nothing is changed; the response describes what would change.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  body: about(Inventory, 'The site as it is to be.', NEW_SITE),
  reads: jsonBody(MAX_INVENTORY_BYTES),
  produces: jsonAlways(200, 'What changed', InventoryChanges),
  errors: ['forbidden', 'conflict', 'payload-too-large'],
  exampleErrors: [
    inventoryConflict({
      field: 'devices.0.measures.0.kind',
      message: 'cannot change once there are readings',
    }),
  ],
  async handle(call, { inventory }: Pick<Services, 'inventory'>) {
    const document = fromWireInventory(call.body)
    if (call.query.dryRun === 'true')
      return jsonReply(toWirePlan(await inventory.plan(document, toActor(call))))
    return jsonReply(await inventory.apply(document, toActor(call)))
  },
})

export const exportInventory = defineRoute({
  method: 'GET',
  path: '/inventory/{siteUuid}',
  operationId: 'exportInventory',
  summary: 'Export a site as an inventory document',
  description: 'Applying the document again changes nothing.',
  tags: ['Inventory'],
  gates: OPERATOR_GATES,
  params: Type.Object({ siteUuid: about(Uuid, 'The siteUuid of a site.', EXAMPLE.siteUuid) }),
  query: NoQuery,
  produces: jsonAlways(200, 'The document', Inventory),
  errors: ['forbidden', 'not-found'],
  async handle(call, { inventory }: Pick<Services, 'inventory'>) {
    const document = toWireInventory(await inventory.export(call.params.siteUuid.toLowerCase()))
    const { site, buildings, spaces, devices } = document
    const pieces = () =>
      jsonPieces({
        site,
        buildings: new JsonRecords(buildings, asIs),
        spaces: new JsonRecords(spaces, asIs),
        devices: new JsonRecords(devices, asIs),
      })
    const count = buildings.length + spaces.length + devices.length
    return { status: 200, type: JSON_TYPE, body: toBody(pieces, count) }
  },
})

const asIs = (record: object): object => record
