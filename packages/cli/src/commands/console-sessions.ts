import { type Command, positional } from '../command.ts'
import { table } from '../output.ts'

export const list: Command = {
  async run({ connect, out }) {
    await using operator = await connect()
    const sessions = await operator.listSessions()
    const rows = sessions.map(({ sessionId, partnerName, createdAt, expiresAt, address }) => [
      sessionId,
      partnerName,
      createdAt,
      expiresAt,
      address,
    ])
    out.result(
      { data: sessions },
      rows.length === 0
        ? 'Nobody is signed in to the console.'
        : table(['session', 'partner', 'signed in', 'ends', 'address'], rows),
    )
    return 0
  },
}

export const end: Command = {
  parameters: 'SESSION',
  positionals: { min: 1, max: 1 },
  async run(call) {
    const sessionId = positional(call, 0)
    await using operator = await call.connect()
    await operator.endSession(sessionId)
    call.out.result({ sessionId }, 'The session has ended.')
    return 0
  },
}
