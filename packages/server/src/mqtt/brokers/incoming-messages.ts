import type { ReceiveMessage } from './broker.ts'
import { readPayload } from './packet-limit.ts'
import type { BrokerPersistence } from './persistence.ts'
import type { Session } from './sessions.ts'
import { parseTopic } from '../topics.ts'
import { UNRELEASED_QOS2 } from './violations.ts'

/**
 * Clients cannot subscribe to it. Rejected messages are redirected here, because an error would close the connection.
 */
const DISCARD_TOPIC = '$portico/refused'

/** A PUBLISH packet, or a last will, which has no packet identifier and no DUP flag. */
interface PublishPacket {
  topic: string
  payload: string | Buffer
  qos: number
  retain: boolean
  messageId?: number | undefined
  dup?: boolean
}

/** Messages from clients on their way to the message router. */
export interface IncomingMessages {
  /** Processes a message, and calls back when the client may get its acknowledgement. */
  receive(
    client: object,
    session: Session,
    packet: PublishPacket,
    done: (error?: Error | null) => void,
  ): Promise<void>
  /** To be called when Aedes has distributed a message: it no longer counts as unacknowledged. */
  release(packet: object): void
  /** Resolves when no message is being processed. */
  settled(): Promise<unknown>
}

export function createIncomingMessages(
  receive: ReceiveMessage,
  persistence: Pick<BrokerPersistence, 'reserve'>,
): IncomingMessages {
  const releases = new WeakMap<object, () => void>()
  /** QoS 2 messages being processed, by client and packet identifier. */
  const receiving = new WeakMap<object, Map<number, Promise<void>>>()
  const underWay = new Set<Promise<void>>()

  /** A QoS 2 message that is repeated before its PUBREL is not processed again. */
  function receiveOnce(client: object, session: Session, packet: PublishPacket): Promise<void> {
    // A last will is published after its client has disconnected, and never gets a PUBREL.
    const messageId = packet.qos === 2 ? packet.messageId : undefined
    if (messageId === undefined) return take(session, packet)
    const ofClient = receiving.get(client) ?? new Map<number, Promise<void>>()
    receiving.set(client, ofClient)
    const verdict = persistence.reserve(client, messageId)
    if (verdict === 'too-many') {
      session.guard.abort(UNRELEASED_QOS2)
      return Promise.reject(new Error(UNRELEASED_QOS2.message))
    }
    if (verdict === 'duplicate') {
      drop(packet)
      return ofClient.get(messageId) ?? Promise.resolve()
    }
    const taken = take(session, packet).finally(() => ofClient.delete(messageId))
    ofClient.set(messageId, taken)
    return taken
  }

  async function take({ gateway, guard }: Session, packet: PublishPacket): Promise<void> {
    const { payload, payloadBytes } = readPayload(toBuffer(packet.payload))
    const release = guard.track(payload.length)
    releases.set(packet, release)
    const { topic, dup: isDuplicate = false } = packet
    try {
      const verdict = await receive({
        topic,
        payload,
        payloadBytes,
        isDuplicate,
        isRetainedCopy: false,
        gateway,
      })
      // Readings must not be retained: they are events, not state. Presence is state.
      if (parseTopic(topic)?.kind !== 'presence') packet.retain = false
      if (verdict === 'rejected') drop(packet)
    } catch (error) {
      release()
      throw error
    }
  }

  return {
    async receive(client, session, packet, done) {
      const taken = receiveOnce(client, session, packet)
      underWay.add(taken)
      try {
        await taken
      } catch (error) {
        return done(error instanceof Error ? error : new Error(String(error)))
      } finally {
        underWay.delete(taken)
      }
      done()
    },
    release: (packet) => releases.get(packet)?.(),
    settled: () => Promise.allSettled(underWay),
  }
}

const drop = (packet: PublishPacket): void =>
  void Object.assign(packet, { topic: DISCARD_TOPIC, payload: '', retain: false })

const toBuffer = (payload: string | Buffer): Buffer =>
  typeof payload === 'string' ? Buffer.from(payload) : payload
