import type { Command } from '../command.ts'
import { table } from '../output.ts'

export const command: Command = {
  settings: ['tokenAlgorithm'],
  async run({ connect, out }) {
    await using operator = await connect()
    const keys = await operator.listKeys()
    const rows = keys.map(({ kid, algorithm, createdAt, retiredAt }) => [
      kid,
      algorithm,
      createdAt,
      retiredAt === null ? 'signs new tokens' : `retired on ${retiredAt.slice(0, 10)}`,
    ])
    out.result({ data: keys }, table(['key', 'algorithm', 'created', 'state'], rows))
    return 0
  },
}
