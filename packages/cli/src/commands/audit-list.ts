import { type Command, stringValue } from '../command.ts'
import { table } from '../output.ts'
import { readLimit } from '../values.ts'

export const command: Command = {
  options: {
    action: { type: 'string' },
    actor: { type: 'string' },
    search: { type: 'string' },
    limit: { type: 'string' },
  },
  help: {
    action: 'Only entries of this action, such as partner.added.',
    actor: 'Only entries of this actor: UUID of a partner, or a name.',
    search: 'Only entries with this text in action, name of the actor, target or detail.',
    limit: 'Number of entries (100).',
  },
  async run({ connect, values, out }) {
    const limit = readLimit(values)
    const action = stringValue(values, 'action')
    const actor = stringValue(values, 'actor')
    const search = stringValue(values, 'search')
    await using operator = await connect()
    const entries = await operator.listAudit(limit, { action, actor, search })
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
        ? 'The audit log has no such entries.'
        : table(['time', 'actor', 'action', 'target', 'detail'], rows),
    )
    return 0
  },
}
