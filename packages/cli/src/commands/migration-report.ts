import { toCsv, V1_CALLER_COLUMNS } from '@portico/server/operator/operator'
import { type Command, UsageError } from '../command.ts'
import { table } from '../output.ts'

/** Text for endpoints without a replacement yet, or ever. */
const INSTEAD = { replaced: '', 'awaiting-v2': 'planned', retiring: 'none' } as const

export const command: Command = {
  options: { csv: { type: 'boolean' } },
  help: { csv: 'Print CSV.' },
  async run({ connect, values, out }) {
    if (values['csv'] === true && out.isJson) throw new UsageError('--csv and --json cannot be combined')
    await using operator = await connect()
    const all = await operator.listV1Callers()
    const callers = all.toSorted((a, b) => a.partnerName.localeCompare(b.partnerName))
    if (values['csv'] === true) {
      out.text(toCsv(V1_CALLER_COLUMNS, callers))
      return 0
    }
    const rows = callers.map(
      ({ partnerName, method, path, calls, failed, lastSeenAt, state, replacement }) => [
        partnerName,
        `${method} ${path}`,
        String(calls),
        String(failed),
        lastSeenAt,
        replacement === null ? INSTEAD[state] : `${method} ${replacement}`,
      ],
    )
    out.result(
      { data: callers },
      rows.length === 0
        ? 'No partner has called version 1.'
        : table(['partner', 'version 1', 'calls', 'failed', 'last', 'version 2'], rows),
    )
    return 0
  },
}
