import { loadSettingReport } from '@portico/server/config/config'
import { SETTINGS } from '@portico/server/config/settings'
import type { Command } from '../command.ts'
import { table } from '../output.ts'

export const command: Command = {
  localOnly: 'it shows the settings of this machine',
  settings: Object.keys(SETTINGS),
  async run({ flags, out }) {
    const settings = loadSettingReport(flags, process.stdout.isTTY)
    out.result(
      { settings },
      table(
        ['setting', 'value', 'source'],
        settings.map(({ name, value, source, from }) => [
          name,
          value ?? '',
          from === null ? source : `${source} (${from})`,
        ]),
      ),
    )
    return 0
  },
}
