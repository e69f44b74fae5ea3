import { existsSync, statSync } from 'node:fs'
import { OperatorError, openOperator } from '@portico/server/operator/operator'
import { type Command, positional } from '../command.ts'

export const command: Command = {
  localOnly: 'it reads the store itself; run it on the machine of the server',
  opensStore: true,
  parameters: 'FILE',
  positionals: { min: 1, max: 1 },
  async run(call) {
    const file = positional(call, 0)
    if (existsSync(file)) throw new OperatorError(`${file} already exists; a backup never overwrites a file`)
    await using operator = await openOperator(call.config, { create: false })
    await operator.store.backup(file)
    const { size } = statSync(file)
    call.out.result(
      { file, bytes: size },
      `${file}: ${size} bytes. It contains signing keys: protect it like the store.`,
    )
    return 0
  },
}
