import { type Command, positional } from '../command.ts'
import { readUuid } from '../values.ts'

export const command: Command = {
  parameters: 'PARTNER SECRET_ID',
  positionals: { min: 2, max: 2 },
  async run(call) {
    const partnerUuid = readUuid(positional(call, 0), 'PARTNER')
    const secretId = readUuid(positional(call, 1), 'SECRET_ID')
    await using operator = await call.connect()
    await operator.removeSecret(partnerUuid, secretId)
    call.out.result({ removed: secretId }, `Removed secret ${secretId}.`)
    return 0
  },
}
