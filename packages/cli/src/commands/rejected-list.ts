import { type Command, stringValue } from '../command.ts'
import { table } from '../output.ts'
import { readLimit } from '../values.ts'

export const command: Command = {
  options: { reason: { type: 'string' }, search: { type: 'string' }, limit: { type: 'string' } },
  help: {
    reason: 'Only messages that were rejected for this reason, such as not-json.',
    search: 'Only messages with this text in topic, message or payload.',
    limit: 'Number of messages (100).',
  },
  async run({ connect, values, out }) {
    const limit = readLimit(values)
    const filter = { reason: stringValue(values, 'reason'), search: stringValue(values, 'search') }
    await using operator = await connect()
    const messages = await operator.listRejected(limit, filter)
    const rows = messages.map(({ at, reason, topic, message }) => [at, reason, topic, message])
    out.result(
      { data: messages },
      rows.length > 0
        ? table(['time', 'reason', 'topic', 'message'], rows)
        : isFiltered(filter)
          ? 'No rejected message matches.'
          : 'No MQTT message was rejected.',
    )
    return 0
  },
}

const isFiltered = (filter: object): boolean => Object.values(filter).some((value) => value !== undefined)
