import { existsSync, statSync } from 'node:fs'
import { OperatorError, openOperator } from '@portico/server/operator/operator'
import { type Command, positional } from '../command.ts'

export const command: Command = {
  parameters: 'FILE',
  positionals: { min: 1, max: 1 },
  async run(call) {
    const file = positional(call, 0)
    if (existsSync(file)) throw new OperatorError(`${file} exists already; a backup never overwrites`)
    await using operator = await openOperator(call.config, { create: false })
    await operator.store.backup(file)
    const { size } = statSync(file)
    call.out.result(
      { file, bytes: size },
      `${file}: ${size} bytes. It holds signing keys: keep it as safe as the store.`,
    )
    return 0
  },
}
