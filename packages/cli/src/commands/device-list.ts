import { type Command, positional } from '../command.ts'
import { table } from '../output.ts'
import { readUuid } from '../values.ts'

export const command: Command = {
  parameters: 'SITE',
  positionals: { min: 1, max: 1 },
  async run(call) {
    const siteUuid = readUuid(positional(call, 0), 'SITE')
    await using operator = await call.connect()
    const devices = await operator.listDevices(siteUuid)
    const rows = devices.map((device) => [
      device.deviceUuid,
      device.deviceName,
      device.deviceType,
      device.spaceName,
      device.status,
      device.lastSeenAt ?? 'never',
      device.warnings.map(({ code }) => code).join(','),
    ])
    call.out.result(
      { data: devices },
      rows.length === 0
        ? 'The site has no devices.'
        : table(['device', 'name', 'type', 'space', 'status', 'last seen', 'warnings'], rows),
    )
    return 0
  },
}
