import { COMMAND_LINE, openOperator, toWirePartner } from '@portico/server/operator/operator'
import { type Command, positional } from '../command.ts'
import { readUuid } from '../values.ts'

const setEnabled = (enabled: boolean): Command => ({
  parameters: 'PARTNER',
  positionals: { min: 1, max: 1 },
  async run(call) {
    const partnerUuid = readUuid(positional(call, 0), 'PARTNER')
    await using operator = await openOperator(call.config, { create: false })
    const partner = await operator.partners.change(partnerUuid, { enabled }, COMMAND_LINE)
    call.out.result(toWirePartner(partner), `${partner.name} is ${partner.enabled ? 'enabled' : 'disabled'}.`)
    return 0
  },
})

export const enable = setEnabled(true)

export const disable = setEnabled(false)
