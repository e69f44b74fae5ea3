import { openOperator, pendingMigrations } from '@portico/server/operator/operator'
import type { Command } from '../command.ts'

export const command: Command = {
  localOnly: 'it changes the store itself; run it on the machine of the server',
  opensStore: true,
  options: { plan: { type: 'boolean' } },
  help: { plan: 'Print the pending SQL without running it.' },
  async run({ config, values, out }) {
    if (values['plan'] === true) {
      const pending = await pendingMigrations(config)
      out.result(
        { pending },
        pending.length === 0
          ? '-- The schema is up to date.'
          : pending.map(({ number, name, sql }) => `-- ${number} ${name}\n${sql}`),
      )
      return 0
    }
    await using operator = await openOperator(config, { create: true })
    const applied = operator.migrated.map(({ number, name }) => ({ number, name }))
    out.result(
      { applied },
      applied.length === 0
        ? 'The schema is up to date.'
        : applied.map(({ number, name }) => `Applied ${number} ${name}.`),
    )
    return 0
  },
}
