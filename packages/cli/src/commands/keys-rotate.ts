import { COMMAND_LINE, openOperator } from '@portico/server/operator/operator'
import type { Command } from '../command.ts'

export const command: Command = {
  options: { 'revoke-previous': { type: 'boolean' } },
  help: { 'revoke-previous': 'Revoke every token signed so far, for example because the key has leaked.' },
  settings: ['tokenAlgorithm'],
  async run({ config, values, out }) {
    const revokePrevious = values['revoke-previous'] === true
    await using operator = await openOperator(config, { create: false })
    const { kid } = await operator.keys.rotate({ revokePrevious }, COMMAND_LINE)
    out.result({ kid }, `New tokens are signed with key ${kid}.`)
    return 0
  },
}
