import type { Command } from '../command.ts'
import { table } from '../output.ts'

export const command: Command = {
  async run({ connect, out }) {
    await using operator = await connect()
    const all = await operator.listPartners()
    const partners = all.toSorted((a, b) => a.name.localeCompare(b.name))
    const rows = partners.map((partner) => [
      partner.partnerUuid,
      partner.name,
      partner.enabled ? 'enabled' : 'disabled',
      partner.clientId,
      partner.roles.join(','),
      String(partner.sites.length),
    ])
    out.result(
      { data: partners },
      rows.length === 0
        ? 'There are no partners yet. Add one: portico partner add'
        : table(['partner', 'name', 'state', 'client id', 'roles', 'sites'], rows),
    )
    return 0
  },
}
