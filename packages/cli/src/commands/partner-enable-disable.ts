import { type Command, positional } from '../command.ts'
import { readUuid } from '../values.ts'

const setEnabled = (enabled: boolean): Command => ({
  parameters: 'PARTNER',
  positionals: { min: 1, max: 1 },
  async run(call) {
    const partnerUuid = readUuid(positional(call, 0), 'PARTNER')
    await using operator = await call.connect()
    const partner = await operator.changePartner(partnerUuid, { enabled })
    call.out.result(partner, `${partner.name} is ${partner.enabled ? 'enabled' : 'disabled'}.`)
    return 0
  },
})

export const enable = setEnabled(true)

export const disable = setEnabled(false)
