import { NoQuery } from '@portico/wire/page'
import { CANCELLED_EXAMPLE, Command } from '@portico/wire/v2/command'
import { role } from '../../pipeline/gates.ts'
import { json } from '../../pipeline/produces.ts'
import { jsonReply } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { requireDevice, CommandParams } from '../path.ts'
import { SITE_GATES } from '../surface.ts'
import type { Services } from '../../services.ts'
import { toWireCommand } from '../../resources/command.ts'

export const cancelCommand = defineRoute({
  method: 'DELETE',
  path: '/devices/{deviceuuid}/commands/{commandUuid}',
  operationId: 'cancelCommand',
  summary: 'Cancel a command',
  description:
    'If the device has already received the command, it is sent a cancellation. 409 if the command has ended.',
  tags: ['Control'],
  gates: [...SITE_GATES, role('Devices.Control')],
  params: CommandParams,
  query: NoQuery,
  produces: json('The cancelled command', Command, { example: CANCELLED_EXAMPLE }),
  errors: ['forbidden', 'not-found', 'conflict', 'rate-limited'],
  async handle(call, { commands }: Pick<Services, 'commands'>) {
    const commandUuid = call.params.commandUuid.toLowerCase()
    const caller = { partner: call.caller, traceId: call.id }
    const device = requireDevice(call)
    return jsonReply(toWireCommand(await commands.cancel(call.site, device, commandUuid, caller)))
  },
})
