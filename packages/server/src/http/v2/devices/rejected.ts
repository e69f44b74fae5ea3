import { TOPIC_ROOT } from '@portico/wire/mqtt/topics'
import { Page, PageQuery } from '@portico/wire/page'
import { DeviceRejection } from '@portico/wire/v2/device'
import type { StoredRejection } from '../../../domain/telemetry/ingest/rejected.ts'
import { isoInstant } from '../../../kernel/clock.ts'
import { role } from '../../pipeline/gates.ts'
import { pageReply, readPageQuery, toPage } from '../../pipeline/page-query.ts'
import { page } from '../../pipeline/produces.ts'
import { defineRoute } from '../../pipeline/route.ts'
import type { Services } from '../../services.ts'
import { DeviceParams, requireDevice } from '../path.ts'
import { SITE_GATES } from '../surface.ts'

/** Payloads and accounts of gateways are for the operator only. */
const toWireRejection = ({ at, topic, reason, message }: StoredRejection): DeviceRejection => ({
  timestamp: isoInstant(at),
  topic,
  reason,
  message,
})

export const listDeviceRejections = defineRoute({
  method: 'GET',
  path: '/devices/{deviceuuid}/rejected',
  operationId: 'listDeviceRejections',
  summary: 'List the rejected messages of a device',
  description:
    'MQTT messages of the device that were rejected entirely or in part, newest first. The server stores the newest 10,000 of all devices.',
  tags: ['Devices'],
  gates: [...SITE_GATES, role('Devices.Read')],
  params: DeviceParams,
  query: PageQuery,
  produces: page('One page of rejected messages', Page(DeviceRejection)),
  errors: ['forbidden', 'not-found', 'rate-limited'],
  async handle(call, services: Pick<Services, 'rejected' | 'cursors' | 'addresses'>) {
    const { siteUuid } = call.site.site
    const { deviceUuid } = requireDevice(call).record
    const scope = `rejected ${call.caller.partnerUuid} ${deviceUuid}`
    const { limit, position } = readPageQuery(call.query, services, scope)
    const found = await services.rejected.listForDevice({
      topicPrefix: `${TOPIC_ROOT}/${siteUuid}/${deviceUuid}/`,
      before: position === undefined ? undefined : Number(position),
      limit: limit + 1,
    })
    return pageReply(
      call,
      services,
      toPage(found, limit, toWireRejection, ({ id }) => services.cursors.encode(scope, String(id))),
      limit,
    )
  },
})
