import type { Partner } from '@portico/wire/operator/partner'
import { type Command, positional } from '../command.ts'
import { fields } from '../output.ts'
import { secretTable } from '../secret-table.ts'
import { readUuid } from '../values.ts'

export const command: Command = {
  parameters: 'PARTNER',
  positionals: { min: 1, max: 1 },
  async run(call) {
    const partnerUuid = readUuid(positional(call, 0), 'PARTNER')
    await using operator = await call.connect()
    const partner = await operator.getPartner(partnerUuid)
    call.out.result(partner, [
      ...fields([
        ['partner', `${partner.name} (${partner.partnerUuid})`],
        ['state', partner.enabled ? 'enabled' : 'disabled'],
        ['client id', partner.clientId],
        ['roles', partner.roles.join(', ')],
        ['sites', partner.sites.join(', ') || 'none'],
        ['rate limits', formatLimits(partner.rateLimits)],
        ['added', partner.createdAt],
        ['changed', partner.updatedAt],
      ]),
      '',
      ...secretTable(partner.secrets),
    ])
    return 0
  },
}

function formatLimits({ perMinute, per5Minutes }: Partner['rateLimits']): string {
  if (perMinute === undefined && per5Minutes === undefined) return 'default'
  return `${perMinute ?? 'default'} per minute, ${per5Minutes ?? 'default'} per 5 minutes`
}
