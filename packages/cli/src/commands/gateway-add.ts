import { type Command, positional, stringValue, UsageError } from '../command.ts'
import { fields } from '../output.ts'
import { readUuid } from '../values.ts'

export const command: Command = {
  parameters: 'SITE',
  positionals: { min: 1, max: 1 },
  options: { name: { type: 'string' } },
  help: { name: 'Name of the gateway.' },
  async run(call) {
    const siteUuid = readUuid(positional(call, 0), 'SITE')
    const name = stringValue(call.values, 'name')?.trim()
    if (!name) throw new UsageError('--name is required')
    await using operator = await call.connect()
    const gateway = await operator.addGateway(siteUuid, name)
    call.out.result(gateway, [
      ...fields([
        ['gateway', `${gateway.name} (${gateway.gatewayUuid})`],
        // A server of an older release does not return it.
        ...(gateway.mqttUrl ? [['MQTT_URL', gateway.mqttUrl] as [string, string]] : []),
        ['MQTT_USERNAME', gateway.mqttUsername],
        ['MQTT_PASSWORD', gateway.mqttPassword],
      ]),
      '',
      'The password is shown only once.',
    ])
    return 0
  },
}
