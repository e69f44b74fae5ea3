import { Readable } from 'node:stream'
import { MAX_UNRELEASED_QOS2 } from './bounds.ts'
import type { RetainedPacket, RetainedPresence } from './retained-presence.ts'

interface Identified {
  messageId?: number | undefined
}

/**
 * What Aedes stores, in place of its own memory store. Every session is a clean one, so there is nothing to store for clients that are
 * away. Of a QoS 2 message only the packet identifier is kept until its PUBREL: the message itself was dealt with before.
 */
export interface BrokerPersistence {
  /** For the `persistence` option of Aedes. */
  readonly adapter: object
  /** Reserves the identifier of a QoS 2 message that has arrived. */
  reserve(client: object, messageId: number): 'reserved' | 'duplicate' | 'too-many'
}

export function createBrokerPersistence(retained: RetainedPresence): BrokerPersistence {
  /** By client: packet identifiers, and whether their message was stored or only announced. */
  const unreleased = new WeakMap<object, Map<number, boolean>>()
  const toMessageId = ({ messageId }: Identified): number => messageId ?? 0
  const requireStored = (client: object, packet: Identified): Identified => {
    if (unreleased.get(client)?.get(toMessageId(packet)) !== true) throw new Error('no such packet')
    return packet
  }

  const adapter = {
    async setup() {},

    async storeRetained(packet: RetainedPacket) {
      retained.set(packet)
    },
    createRetainedStreamCombi: (filters: string[]) => Readable.from(retained.find(filters)),

    async incomingStorePacket(client: object, packet: Identified) {
      unreleased.get(client)?.set(toMessageId(packet), true)
    },
    incomingGetPacket: async (client: object, packet: Identified) => requireStored(client, packet),
    async incomingDelPacket(client: object, packet: Identified) {
      requireStored(client, packet)
      unreleased.get(client)?.delete(toMessageId(packet))
    },
    async cleanIncoming(client: object) {
      unreleased.delete(client)
    },

    // Aedes keeps the last will of a client that is connected in the client itself; stored wills are for a broker that was killed.
    async putWill() {},
    async delWill() {},
    streamWill: () => Readable.from([]),

    // Sessions of clients that are away.
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
