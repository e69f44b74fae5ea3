import { NoQuery } from '@portico/wire/page'
import { DeviceSchedule } from '@portico/wire/v2/command'
import { role } from '../../pipeline/gates.ts'
import { json } from '../../pipeline/produces.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { requireDevice, DeviceParams } from '../path.ts'
import { SITE_GATES } from '../surface.ts'
import type { Services } from '../../services.ts'
import { toWireSchedule } from './convert.ts'
import { replyAfterChange, WaitHeaders, type WaitServices } from '../wait.ts'

export const getSchedule = defineRoute({
  method: 'GET',
  path: '/devices/{deviceuuid}/schedule',
  operationId: 'getSchedule',
  summary: 'Current and next states of a device',
  description:
    'Derived from the commands that the device has confirmed; the others are in pending. With Prefer: wait=N and If-None-Match, waits until the schedule changes.',
  tags: ['Control'],
  gates: [...SITE_GATES, role('Devices.Read')],
  params: DeviceParams,
  query: NoQuery,
  produces: json('The schedule', DeviceSchedule),
  errors: ['forbidden', 'not-found', 'rate-limited'],
  headers: WaitHeaders,
  handle(call, services: Pick<Services, 'commands'> & WaitServices) {
    const device = requireDevice(call)
    return replyAfterChange(call, services, device.record.deviceUuid, async () =>
      toWireSchedule(call.site, device, await services.commands.getSchedule(call.site, device)),
    )
  },
})
