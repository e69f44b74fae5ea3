import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BoundedCache } from '../../kernel/cache.ts'

declare module 'fastify' {
  interface FastifyInstance {
    clientAddresses: BoundedCache<string, string>
  }
}

const MAX_ADDRESSES = 10_000
/** Longer X-Forwarded-For chains are not cached: clients choose the length, and the cache must stay within a few MB. */
const MAX_CACHED_LENGTH = 200

export function installClientAddresses(app: FastifyInstance): void {
  app.decorate('clientAddresses', new BoundedCache<string, string>(MAX_ADDRESSES))
}

/**
 * The client's address, behind the trusted proxies. It depends only on the peer and on X-Forwarded-For; resolving the
 * trusted hops for every request would take a tenth of the time of a read.
 */
export function getClientAddress(request: FastifyRequest): string {
  const peer = request.raw.socket.remoteAddress ?? ''
  const forwarded = request.headers['x-forwarded-for']
  if (forwarded === undefined) return peer
  if (forwarded.length > MAX_CACHED_LENGTH) return request.ip
  const { clientAddresses } = request.server
  const key = `${peer} ${String(forwarded)}`
  let address = clientAddresses.get(key)
  if (address === undefined) {
    address = request.ip
    // Fastify skips the proxies if an address is malformed: the peer must not be cached as the client.
    if (request.ips !== undefined) clientAddresses.set(key, address)
  }
  return address
}
