import { BYTE_BOUNDS, type ByteKind } from './bounds.ts'

/** Bytes in memory for one connection, for all connections of an account, or for all connections. */
export interface ByteTally {
  readonly bytes: Record<ByteKind, number>
  /** Connections that are not read because this tally is at its bound. */
  readonly waiting: Set<() => void>
}

export const createByteTally = (): ByteTally => ({
  bytes: { unanswered: 0, incomplete: 0, outgoing: 0 },
  waiting: new Set(),
})

/** The tallies that one connection counts towards; the account is known once the client has signed on. */
export interface Tallies {
  connection: ByteTally
  account: ByteTally | undefined
  total: ByteTally
}

/** The tally that is at its bound, if any. */
export function findExhausted(
  { connection, account, total }: Tallies,
  kind: ByteKind,
): ByteTally | undefined {
  const bounds = BYTE_BOUNDS[kind]
  const own = connection.bytes[kind]
  if (own >= bounds.connection) return connection
  if (own < bounds.floor) return undefined
  if (account && account.bytes[kind] >= bounds.account) return account
  return total.bytes[kind] >= bounds.total ? total : undefined
}

export function countBytes({ connection, account, total }: Tallies, kind: ByteKind, bytes: number): void {
  for (const tally of [connection, account, total]) if (tally) tally.bytes[kind] += bytes
}

/** Subtracts everything that a closed connection had in memory. */
export function releaseAll({ connection, account, total }: Tallies): void {
  for (const kind of ['unanswered', 'incomplete', 'outgoing'] as const) {
    for (const tally of [account, total]) if (tally) tally.bytes[kind] -= connection.bytes[kind]
    connection.bytes[kind] = 0
  }
}

/** Resumes connections that were not read because the account or the broker was at its bound. */
export function wakeWaiting({ account, total }: Tallies): void {
  const { unanswered } = BYTE_BOUNDS
  for (const [tally, bound] of [[account, unanswered.account] as const, [total, unanswered.total] as const]) {
    if (!tally || tally.waiting.size === 0 || tally.bytes.unanswered >= bound) continue
    // Copied, because a connection that still has to wait adds itself again.
    const woken = [...tally.waiting]
    tally.waiting.clear()
    for (const resume of woken) resume()
  }
}
