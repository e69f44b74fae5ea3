import { NoQuery } from '@portico/wire/page'
import { Command } from '@portico/wire/v2/command'
import { role } from '../../pipeline/gates.ts'
import { json } from '../../pipeline/produces.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { requireDevice, CommandParams } from '../path.ts'
import { SITE_GATES } from '../surface.ts'
import type { Services } from '../../services.ts'
import { toWireCommand } from '../../resources/command.ts'
import { replyAfterChange, WaitHeaders, type WaitServices } from '../wait.ts'

export const getCommand = defineRoute({
  method: 'GET',
  path: '/devices/{deviceuuid}/commands/{commandUuid}',
  operationId: 'getCommand',
  summary: 'Read a command',
  description: 'With Prefer: wait=N and If-None-Match, waits until the command changes.',
  tags: ['Control'],
  gates: [...SITE_GATES, role('Devices.Read')],
  params: CommandParams,
  query: NoQuery,
  produces: json('The command', Command),
  errors: ['forbidden', 'not-found', 'rate-limited'],
  headers: WaitHeaders,
  handle(call, services: Pick<Services, 'commands'> & WaitServices) {
    const commandUuid = call.params.commandUuid.toLowerCase()
    const device = requireDevice(call)
    return replyAfterChange(call, services, device.record.deviceUuid, async () =>
      toWireCommand(await services.commands.get(call.site, device, commandUuid)),
    )
  },
})
