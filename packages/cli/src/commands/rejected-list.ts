import type { Command } from '../command.ts'
import { table } from '../output.ts'
import { readLimit } from '../values.ts'

export const command: Command = {
  options: { limit: { type: 'string' } },
  help: { limit: 'Number of messages (100).' },
  async run({ connect, values, out }) {
    const limit = readLimit(values)
    await using operator = await connect()
    const messages = await operator.listRejected(limit)
    const rows = messages.map(({ at, reason, topic, message }) => [at, reason, topic, message])
    out.result(
      { data: messages },
      rows.length === 0
        ? 'No MQTT message was rejected.'
        : table(['time', 'reason', 'topic', 'message'], rows),
    )
    return 0
  },
}
