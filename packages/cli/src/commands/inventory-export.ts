import { type Command, positional } from '../command.ts'
import { readUuid } from '../values.ts'

export const command: Command = {
  parameters: 'SITE',
  positionals: { min: 1, max: 1 },
  async run(call) {
    const siteUuid = readUuid(positional(call, 0), 'SITE')
    await using operator = await call.connect()
    const document = await operator.exportInventory(siteUuid)
    call.out.text(`${JSON.stringify(document, null, call.out.isJson ? undefined : 2)}\n`)
    return 0
  },
}
