import { openOperator, toWirePartner } from '@portico/server/operator/operator'
import type { Command } from '../command.ts'
import { table } from '../output.ts'

const ALL = 100_000

export const command: Command = {
  async run({ config, out }) {
    await using operator = await openOperator(config, { create: false })
    const partners = (await operator.partners.list({ after: undefined, limit: ALL })).map(toWirePartner)
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
