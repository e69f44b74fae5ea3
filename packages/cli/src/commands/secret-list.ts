import { type Command, positional } from '../command.ts'
import { secretTable } from '../secret-table.ts'
import { readUuid } from '../values.ts'

export const command: Command = {
  parameters: 'PARTNER',
  positionals: { min: 1, max: 1 },
  async run(call) {
    const partnerUuid = readUuid(positional(call, 0), 'PARTNER')
    await using operator = await call.connect()
    const { secrets } = await operator.getPartner(partnerUuid)
    call.out.result({ data: secrets }, secretTable(secrets))
    return 0
  },
}
