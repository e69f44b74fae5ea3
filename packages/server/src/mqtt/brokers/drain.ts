import type { ReceiveMessage } from './broker.ts'
import type { BrokerAddress } from './address.ts'
import { openConnection, checkConnection } from './connection.ts'
import { toIncoming } from './external.ts'
import { parseTopic } from '../topics.ts'

/**
 * A session without messages for this long is empty: a broker sends queued messages as fast as they are acknowledged.
 */
const QUIET_MS = 10_000

/**
 * Receives the messages queued in a session that another instance has left behind, then ends the session. Brokers also
 * distribute shared-subscription messages to disconnected sessions, and need not redistribute them when such a session
 * ends.
 */
export function drainSession(
  { address, clientId, unwanted }: { address: BrokerAddress; clientId: string; unwanted: readonly string[] },
  { receive, onEnd }: { receive: ReceiveMessage; onEnd(isOver: boolean): void },
): { stop(): Promise<void> } {
  let quiet: NodeJS.Timeout | undefined
  let unanswered = 0
  let hasEnded = false

  const waitForQuiet = (): void => {
    clearTimeout(quiet)
    if (unanswered === 0 && !hasEnded) quiet = setTimeout(() => void end(), QUIET_MS)
  }

  const connection = openConnection({
    address,
    clientId,
    isSessionPersistent: true,
    subscriptions: [],
    unwanted,
    async onMessage(message) {
      clearTimeout(quiet)
      // Every instance receives presence itself, and a queued presence may be older than the one it received.
      if (parseTopic(message.topic)?.kind === 'presence') return waitForQuiet()
      unanswered += 1
      try {
        await receive(toIncoming(message))
      } catch (error) {
        // It stays in the session, which must not be ended before the message has been received again.
        void leave()
        throw error
      } finally {
        unanswered -= 1
        waitForQuiet()
      }
    },
    onConnected: waitForQuiet,
    onDisconnected: () => clearTimeout(quiet),
  })

  async function stop(): Promise<void> {
    hasEnded = true
    clearTimeout(quiet)
    await connection.close()
  }

  async function leave(): Promise<void> {
    if (hasEnded) return
    await stop()
    onEnd(false)
  }

  async function end(): Promise<void> {
    await stop()
    onEnd((await checkConnection(address, clientId)) === undefined)
  }

  return { stop }
}
