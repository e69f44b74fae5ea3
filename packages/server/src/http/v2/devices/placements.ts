import { Page } from '@portico/wire/page'
import { DevicePlacement } from '@portico/wire/v2/device'
import { ALWAYS } from '../../../domain/estate/inventory/placement.ts'
import { isoInstant } from '../../../kernel/clock.ts'
import { role } from '../../pipeline/gates.ts'
import { pageOrCsv } from '../../pipeline/produces.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { listReply } from '../paginate.ts'
import { DeviceParams, requireDevice } from '../path.ts'
import { listQuery } from '../query.ts'
import { SITE_GATES } from '../surface.ts'
import type { Services } from '../../services.ts'

const COLUMNS = ['spaceUuid', 'spaceName', 'fromDateTime', 'toDateTime'] as const

export const listPlacements = defineRoute({
  method: 'GET',
  path: '/devices/{deviceuuid}/placements',
  operationId: 'listPlacements',
  summary: 'List the spaces that a device was in',
  description:
    'Oldest first; the last one is the current space. Without `limit`, the response contains the whole list. Send `Accept: text/csv` for CSV.',
  tags: ['Devices'],
  gates: [...SITE_GATES, role('Devices.Read')],
  params: DeviceParams,
  query: listQuery({}),
  produces: pageOrCsv('The placements', Page(DevicePlacement)),
  errors: ['forbidden', 'not-found', 'rate-limited'],
  handle(call, services: Pick<Services, 'cursors' | 'addresses'>) {
    const { spaces, archivedSpaces } = call.site
    const { record, placements } = requireDevice(call)
    const names = new Map(archivedSpaces.map(({ spaceUuid, spaceName }) => [spaceUuid, spaceName]))
    return listReply(call, services, {
      name: `placements ${record.deviceUuid}`,
      items: placements,
      getKey: ({ from, spaceUuid }) => [sortable(from), spaceUuid],
      toWire: ({ spaceUuid, from, to }): DevicePlacement => ({
        spaceUuid,
        spaceName: spaces.get(spaceUuid)?.spaceName ?? names.get(spaceUuid) ?? spaceUuid,
        fromDateTime: from === ALWAYS ? null : isoInstant(from),
        toDateTime: to === null ? null : isoInstant(to),
      }),
      columns: COLUMNS,
    })
  },
})

/** Lists compare positions as text. */
const sortable = (at: number): string => String(at).padStart(16, '0')
