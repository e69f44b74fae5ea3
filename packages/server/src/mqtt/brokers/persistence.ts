import { Readable } from 'node:stream'
import { MAX_UNRELEASED_QOS2 } from './bounds.ts'
import type { RetainedPacket, RetainedPresence } from './retained-presence.ts'

interface ClientRef {
  messageId?: number | undefined
}

/**
 * Replaces the in-memory store of Aedes. Every session is a clean session, so nothing is stored for disconnected
 * clients. For a QoS 2 message, only the packet identifier is stored until its PUBREL: the message itself has already
 * been processed.
 */
export interface BrokerPersistence {
  /** For the `persistence` option of Aedes. */
  readonly adapter: object
  /** Reserves the identifier of a QoS 2 message that has arrived. */
  reserve(client: object, messageId: number): 'reserved' | 'duplicate' | 'too-many'
}

export function createBrokerPersistence(retained: RetainedPresence): BrokerPersistence {
  /** Packet identifiers by client; true once Aedes has stored the message, false while it is only reserved. */
  const unreleased = new WeakMap<object, Map<number, boolean>>()
  const toMessageId = ({ messageId }: ClientRef): number => messageId ?? 0
  const requireStored = (client: object, packet: ClientRef): ClientRef => {
    if (unreleased.get(client)?.get(toMessageId(packet)) !== true) throw new Error('no such packet')
    return packet
  }

  const adapter = {
    async setup() {},

    async storeRetained(packet: RetainedPacket) {
      retained.set(packet)
    },
    createRetainedStreamCombi: (filters: string[]) => Readable.from(retained.find(filters)),

    async incomingStorePacket(client: object, packet: ClientRef) {
      unreleased.get(client)?.set(toMessageId(packet), true)
    },
    incomingGetPacket: async (client: object, packet: ClientRef) => requireStored(client, packet),
    async incomingDelPacket(client: object, packet: ClientRef) {
      requireStored(client, packet)
      unreleased.get(client)?.delete(toMessageId(packet))
    },
    async cleanIncoming(client: object) {
      unreleased.delete(client)
    },

    // Aedes holds the last will of a connected client in the client itself; stored wills are only needed after a broker
    // crash.
    async putWill() {},
    async delWill() {},
    streamWill: () => Readable.from([]),

    // Used for persistent sessions only, which do not exist here.
    async cleanSubscriptions() {},
    async subscriptionsByTopic() {
      return []
    },
    async outgoingEnqueueCombi() {},
    async outgoingClearMessageId() {},
    outgoingStream: () => Readable.from([]),
  }

  return {
    adapter,
    reserve(client, messageId) {
      const ids = unreleased.get(client) ?? new Map<number, boolean>()
      unreleased.set(client, ids)
      if (ids.has(messageId)) return 'duplicate'
      if (ids.size >= MAX_UNRELEASED_QOS2) return 'too-many'
      ids.set(messageId, false)
      return 'reserved'
    },
  }
}
