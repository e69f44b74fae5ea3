import { type Command, positional, stringValues, UsageError } from '../command.ts'
import { readUuid } from '../values.ts'

const changeSites = (help: string, field: 'grantSites' | 'revokeSites'): Command => ({
  parameters: 'PARTNER --site SITE',
  positionals: { min: 1, max: 1 },
  options: { site: { type: 'string', multiple: true } },
  help: { site: help },
  async run(call) {
    const partnerUuid = readUuid(positional(call, 0), 'PARTNER')
    const named = stringValues(call.values, 'site').map((site) => readUuid(site, '--site'))
    if (named.length === 0) throw new UsageError('--site is required')
    await using operator = await call.connect()
    const partner = await operator.changePartner(partnerUuid, { [field]: named })
    call.out.result(partner, `${partner.name} may access: ${partner.sites.join(', ') || 'no site'}.`)
    return 0
  },
})

export const grant = changeSites('UUID of a site to grant; can be repeated.', 'grantSites')

export const revoke = changeSites('UUID of a site to revoke; can be repeated.', 'revokeSites')
