import { type Command, positional, stringValue } from '../command.ts'
import { fields } from '../output.ts'
import { readDays, readUuid } from '../values.ts'

export const command: Command = {
  parameters: 'PARTNER',
  positionals: { min: 1, max: 1 },
  options: { 'expires-in-days': { type: 'string' } },
  help: { 'expires-in-days': 'Days until it expires (365).' },
  async run(call) {
    const partnerUuid = readUuid(positional(call, 0), 'PARTNER')
    const days = readDays(stringValue(call.values, 'expires-in-days'))
    await using operator = await call.connect()
    const secret = await operator.addSecret(partnerUuid, days)
    call.out.result(secret, [
      ...fields([
        ['secret id', secret.secretId],
        ['CLIENT_SECRET', secret.clientSecret],
      ]),
      '',
      `The value is shown only once. It expires on ${secret.expiresAt.slice(0, 10)}.`,
    ])
    return 0
  },
}
