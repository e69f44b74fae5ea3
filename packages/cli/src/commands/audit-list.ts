import type { Command } from '../command.ts'
import { table } from '../output.ts'
import { readLimit } from '../values.ts'

export const command: Command = {
  options: { limit: { type: 'string' } },
  help: { limit: 'Number of entries (100).' },
  async run({ connect, values, out }) {
    const limit = readLimit(values)
    await using operator = await connect()
    const entries = await operator.listAudit(limit)
    const rows = entries.map(({ at, actor, action, target, detail }) => [
      at,
      actor.kind === 'partner' ? actor.name : actor.kind,
      action,
      target,
      JSON.stringify(detail),
    ])
    out.result(
      { data: entries },
      rows.length === 0
        ? 'The audit log is empty.'
        : table(['time', 'actor', 'action', 'target', 'detail'], rows),
    )
    return 0
  },
}
