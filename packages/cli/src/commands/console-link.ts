import { ADDRESS_SETTINGS } from '../address-settings.ts'
import { type Command, stringValue } from '../command.ts'
import { readUuid } from '../values.ts'

export const command: Command = {
  options: { partner: { type: 'string' } },
  help: {
    ...ADDRESS_SETTINGS.help,
    partner: 'The UUID of the partner to sign in as; the operator if absent.',
  },
  settings: ADDRESS_SETTINGS.names,
  async run({ connect, values, out }) {
    const partner = stringValue(values, 'partner')
    const partnerUuid = partner === undefined ? undefined : readUuid(partner, '--partner')
    await using operator = await connect()
    const link = await operator.addConsoleLink(partnerUuid)
    out.result(link, link.url)
    out.note(`Open it in a browser. It works once, until ${link.expiresAt}.`)
    return 0
  },
}
