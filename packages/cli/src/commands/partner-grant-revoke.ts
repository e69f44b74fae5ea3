import type { Partner } from '@portico/wire/operator/partner'
import type { OperatorClient } from '../client/operator-client.ts'
import { requireSite } from '../client/require-site.ts'
import { type Command, type CommandContext, positional, stringValues, UsageError } from '../command.ts'
import { readUuid } from '../values.ts'

interface Request {
  partnerUuid: string
  named: string[]
}

const changeSites = (
  help: string,
  /** Returns the partner as it is now, and lines for the user. */
  change: (operator: OperatorClient, request: Request) => Promise<{ partner: Partner; lines?: string[] }>,
): Command => ({
  parameters: 'PARTNER --site SITE',
  positionals: { min: 1, max: 1 },
  options: { site: { type: 'string', multiple: true } },
  help: { site: help },
  async run(call: CommandContext) {
    const partnerUuid = readUuid(positional(call, 0), 'PARTNER')
    const named = stringValues(call.values, 'site').map((site) => readUuid(site, '--site'))
    if (named.length === 0) throw new UsageError('--site is required')
    await using operator = await call.connect()
    const { partner, lines = [] } = await change(operator, { partnerUuid, named })
    call.out.result(partner, [
      ...lines,
      partner.sites.length === 0
        ? `${partner.name} may access no sites.`
        : `${partner.name} may access: ${partner.sites.join(', ')}.`,
    ])
    return 0
  },
})

export const grant = changeSites(
  'UUID of a site to grant; can be repeated.',
  async (operator, { partnerUuid, named }) => ({
    partner: await operator.changePartner(partnerUuid, { grantSites: named }),
  }),
)

export const revoke = changeSites(
  'UUID of a site to revoke; can be repeated.',
  async (operator, { partnerUuid, named }) => {
    const { sites: granted } = await operator.getPartner(partnerUuid)
    const others = named.filter((site) => !granted.includes(site))
    // Revoking is idempotent, so the API accepts any site; for a person, an unknown one is a typing error.
    for (const site of others) await requireSite(operator, site)
    const partner = await operator.changePartner(partnerUuid, { revokeSites: named })
    return { partner, lines: others.map((site) => `${site} was not granted to ${partner.name}.`) }
  },
)
