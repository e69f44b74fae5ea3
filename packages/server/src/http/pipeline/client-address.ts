import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BoundedCache } from '../../kernel/cache.ts'

declare module 'fastify' {
  interface FastifyInstance {
    clientAddresses: BoundedCache<string, string>
  }
}

const MAX_ADDRESSES = 10_000
/** A longer chain of proxies is not cached: callers choose its length, and the cache must stay within some megabytes. */
const MAX_CACHED_LENGTH = 200

export function installClientAddresses(app: FastifyInstance): void {
  app.decorate('clientAddresses', new BoundedCache<string, string>(MAX_ADDRESSES))
}

/**
 * The caller's address, behind the proxies that are trusted. It depends on the peer and on X-Forwarded-For only; finding
 * the trusted hops for every request would take a tenth of the time of a read.
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
    // Fastify does not look at proxies for a malformed address: the peer must not be remembered as the caller.
    if (request.ips !== undefined) clientAddresses.set(key, address)
  }
  return address
}
