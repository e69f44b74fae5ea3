import { NoQuery } from '@portico/wire/page'
import { Command } from '@portico/wire/v2/command'
import { role } from '../../pipeline/gates.ts'
import { json } from '../../pipeline/produces.ts'
import { jsonReply } from '../../pipeline/reply.ts'
import { defineRoute } from '../../pipeline/route.ts'
import { requireDevice, CommandParams } from '../path.ts'
import { SITE_GATES } from '../surface.ts'
import type { Services } from '../../services.ts'
import { toWireCommand } from '../../resources/command.ts'

export const getCommand = defineRoute({
  method: 'GET',
  path: '/devices/{deviceuuid}/commands/{commandUuid}',
  operationId: 'getCommand',
  summary: 'Read a command',
  tags: ['Control'],
  gates: [...SITE_GATES, role('Devices.Read')],
  params: CommandParams,
  query: NoQuery,
  produces: json('The command', Command),
  errors: ['forbidden', 'not-found', 'rate-limited'],
  async handle(call, { commands }: Pick<Services, 'commands'>) {
    const commandUuid = call.params.commandUuid.toLowerCase()
    return jsonReply(toWireCommand(await commands.get(call.site, requireDevice(call), commandUuid)))
  },
})
