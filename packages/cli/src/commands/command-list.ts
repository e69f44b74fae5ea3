import { type Command, positional, stringValue } from '../command.ts'
import { table } from '../output.ts'
import { readLimit, readUuid } from '../values.ts'

export const command: Command = {
  parameters: 'SITE',
  positionals: { min: 1, max: 1 },
  options: { device: { type: 'string' }, limit: { type: 'string' } },
  help: {
    device: 'UUID of a device; by default, all devices of the site.',
    limit: 'Number of commands (100).',
  },
  async run(call) {
    const siteUuid = readUuid(positional(call, 0), 'SITE')
    const device = stringValue(call.values, 'device')
    const limit = readLimit(call.values)
    const filter = { limit, ...(device === undefined ? {} : { deviceUuid: readUuid(device, '--device') }) }
    await using operator = await call.connect()
    const commands = await operator.listCommands(siteUuid, filter)
    const rows = commands.map((sent) => [
      sent.createdAt,
      sent.commandUuid,
      sent.deviceUuid,
      sent.type,
      sent.state,
      sent.failureReason?.code ?? '',
    ])
    call.out.result(
      { data: commands },
      rows.length === 0
        ? 'There are no commands.'
        : table(['created', 'command', 'device', 'type', 'state', 'failure'], rows),
    )
    return 0
  },
}
