import type { Command } from '../command.ts'

export const command: Command = {
  options: { 'revoke-previous': { type: 'boolean' } },
  help: { 'revoke-previous': 'Revoke every token signed so far, for example because the key has leaked.' },
  settings: ['tokenAlgorithm'],
  async run({ connect, values, out }) {
    const revokePrevious = values['revoke-previous'] === true
    await using operator = await connect()
    const { kid } = await operator.rotateKeys({ revokePrevious })
    out.result({ kid }, `New tokens are signed with key ${kid}.`)
    return 0
  },
}
