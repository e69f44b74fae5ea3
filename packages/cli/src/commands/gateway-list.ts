import { type Command, positional } from '../command.ts'
import { table } from '../output.ts'
import { readUuid } from '../values.ts'

export const command: Command = {
  parameters: 'SITE',
  positionals: { min: 1, max: 1 },
  async run(call) {
    const siteUuid = readUuid(positional(call, 0), 'SITE')
    await using operator = await call.connect()
    const gateways = await operator.listGateways(siteUuid)
    const rows = gateways.map(({ gatewayUuid, name, mqttUsername, createdAt }) => [
      gatewayUuid,
      name,
      mqttUsername,
      createdAt,
    ])
    call.out.result(
      { data: gateways },
      rows.length === 0
        ? 'The site has no gateways. Add one: portico gateway add'
        : table(['gateway', 'name', 'MQTT user', 'added'], rows),
    )
    return 0
  },
}
