import { type Command, positional } from '../command.ts'
import { readUuid } from '../values.ts'

export const command: Command = {
  parameters: 'SITE GATEWAY',
  positionals: { min: 2, max: 2 },
  async run(call) {
    const siteUuid = readUuid(positional(call, 0), 'SITE')
    const gatewayUuid = readUuid(positional(call, 1), 'GATEWAY')
    await using operator = await call.connect()
    await operator.removeGateway(siteUuid, gatewayUuid)
    call.out.result({ removed: gatewayUuid }, `Removed gateway ${gatewayUuid}.`)
    return 0
  },
}
