import type { Socket } from 'node:net'
import { toAddressKey } from '../../../kernel/address-key.ts'
import { createProxyCheck, type TrustProxy } from '../trusted-proxies.ts'

export interface AddressLimit {
  /** Maximum number of connections of one address to this process. */
  max: number
  trustProxy: TrustProxy
}

/**
 * Returns a check whether a new connection is within the limit of its address. An accepted connection counts until it
 * closes.
 */
export function createAddressLimit({ max, trustProxy }: AddressLimit): (socket: Socket) => boolean {
  const isProxy = createProxyCheck(trustProxy)
  const counts = new Map<string, number>()
  return (socket) => {
    const { remoteAddress } = socket
    // Undefined if the client has already disconnected.
    if (remoteAddress === undefined || isProxy(remoteAddress, 0)) return true
    const key = toAddressKey(remoteAddress)
    const count = counts.get(key) ?? 0
    if (count >= max) return false
    counts.set(key, count + 1)
    socket.once('close', () => {
      const left = (counts.get(key) ?? 1) - 1
      if (left === 0) counts.delete(key)
      else counts.set(key, left)
    })
    return true
  }
}
