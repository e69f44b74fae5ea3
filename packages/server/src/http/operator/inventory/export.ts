import { NoQuery } from '@portico/wire/page'
import { Inventory } from '@portico/wire/operator/inventory'
import { Uuid } from '@portico/wire/uuid'
import { Type } from 'typebox'
import { JsonRecords, jsonPieces } from '../../pipeline/body/json-pieces.ts'
import { jsonAlways } from '../../pipeline/produces.ts'
import { JSON_TYPE } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { toBody } from '../../pipeline/body/streamed-body.ts'
import { OPERATOR_GATES } from '../surface.ts'
import type { Services } from '../../services.ts'
import { toWireInventory } from './convert.ts'

export const exportInventory = defineRoute({
  method: 'GET',
  path: '/inventory/{siteUuid}',
  operationId: 'exportInventory',
  summary: 'Export a site as an inventory document',
  description: 'Applying the document again changes nothing.',
  tags: ['Inventory'],
  gates: OPERATOR_GATES,
  params: Type.Object({ siteUuid: Uuid }),
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
