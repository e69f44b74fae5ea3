import type { IncomingMessage } from 'node:http'
import { BoundedCache } from '../../kernel/cache.ts'
import { createProxyCheck, type IsTrustedProxy, type TrustProxy } from './trusted-proxies.ts'

const MAX_ADDRESSES = 10_000
/** Longer X-Forwarded-For chains are not cached: clients choose the length, and the cache must stay within a few MB. */
const MAX_CACHED_LENGTH = 200

/** Returns the address of a request's client, behind the trusted proxies. */
export type GetClientAddress = (request: IncomingMessage) => string

export function createClientAddresses(trustProxy: TrustProxy): GetClientAddress {
  const isProxy = createProxyCheck(trustProxy)
  const cache = new BoundedCache<string, string>(MAX_ADDRESSES)
  return ({ socket, headers }) => {
    const peer = socket.remoteAddress ?? ''
    const forwarded = headers['x-forwarded-for']
    if (forwarded === undefined || trustProxy === false) return peer
    const chain = String(forwarded)
    if (chain.length > MAX_CACHED_LENGTH) return findClient(peer, chain, isProxy)
    // Checking the trusted hops for every request would take a tenth of the time of a read.
    const key = `${peer} ${chain}`
    let address = cache.get(key)
    if (address === undefined) {
      address = findClient(peer, chain, isProxy)
      cache.set(key, address)
    }
    return address
  }
}

/** The first address, starting at this server, that is not a trusted proxy; the farthest one if all of them are. */
function findClient(peer: string, forwarded: string, isProxy: IsTrustedProxy): string {
  const hops = [peer]
  for (const address of forwarded.split(',').toReversed())
    if (address.trim() !== '') hops.push(address.trim())
  return hops.find((address, hop) => !isProxy(address, hop)) ?? hops.at(-1) ?? peer
}
