import { MAX_PENDING, MAX_PENDING_PER_ADDRESS, SIGN_ON_WITHIN_MS } from './bounds.ts'

/** Connections that have not signed on yet. Their number, in total and per address, and their duration are bounded. */
export interface PendingConnections {
  /** `close` is called if the connection is evicted; call the returned function once the client has signed on. */
  add(address: string, close: () => void): () => void
}

interface PendingConnection {
  address: string
  close(): void
  timer: NodeJS.Timeout
}

export function createPendingConnections(): PendingConnections {
  // Sets are in insertion order: the first element has waited longest.
  const all = new Set<PendingConnection>()
  const byAddress = new Map<string, Set<PendingConnection>>()

  const leave = (pending: PendingConnection): void => {
    clearTimeout(pending.timer)
    all.delete(pending)
    const ofAddress = byAddress.get(pending.address)
    ofAddress?.delete(pending)
    if (ofAddress?.size === 0) byAddress.delete(pending.address)
  }
  const evict = (pending: PendingConnection): void => {
    leave(pending)
    pending.close()
  }
  const evictFirst = (pendings: Set<PendingConnection>): void => {
    for (const pending of pendings) return evict(pending)
  }

  return {
    add(address, close) {
      const ofAddress = byAddress.get(address) ?? new Set()
      if (ofAddress.size >= MAX_PENDING_PER_ADDRESS) evictFirst(ofAddress)
      else if (all.size >= MAX_PENDING) evictFirst(all)
      const pending: PendingConnection = {
        address,
        close,
        timer: setTimeout(() => evict(pending), SIGN_ON_WITHIN_MS),
      }
      all.add(pending)
      byAddress.set(address, ofAddress.add(pending))
      return () => leave(pending)
    },
  }
}
