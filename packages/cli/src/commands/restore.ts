import { restoreStore } from '@portico/server/operator/operator'
import { type Command, positional } from '../command.ts'

export const command: Command = {
  localOnly: 'it replaces the store itself; run it on the machine of the server',
  opensStore: true,
  parameters: 'FILE',
  positionals: { min: 1, max: 1 },
  async run(call) {
    const file = positional(call, 0)
    const replacedFile = restoreStore(call.config, file)
    call.out.result(
      { restored: file, kept: replacedFile ?? null },
      replacedFile === undefined
        ? `Restored ${file}.`
        : `Restored ${file}. The previous store was moved to ${replacedFile}.`,
    )
    return 0
  },
}
