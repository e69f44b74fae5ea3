import type { Command } from '../command.ts'
import { table } from '../output.ts'

export const command: Command = {
  async run({ connect, out }) {
    await using operator = await connect()
    const sites = await operator.listSites()
    const rows = sites.map(({ siteUuid, siteName, timeZone, sandbox }) => [
      siteUuid,
      siteName,
      timeZone,
      sandbox ? 'yes' : 'no',
    ])
    out.result(
      { data: sites },
      rows.length === 0
        ? 'There are no sites yet. Add one: portico inventory apply FILE'
        : table(['site', 'name', 'time zone', 'sandbox'], rows),
    )
    return 0
  },
}
