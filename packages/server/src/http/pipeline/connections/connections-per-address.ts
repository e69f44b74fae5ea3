import { BlockList, isIPv6, type Socket } from 'node:net'
import { toAddressKey } from '../../../kernel/address-key.ts'

export interface AddressLimit {
  /** Maximum number of connections of one address to this process. */
  max: number
  trustProxy: boolean | number | string[]
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
    if (remoteAddress === undefined || isProxy(remoteAddress)) return true
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

/** The names that TRUST_PROXY accepts besides addresses and networks. */
const NETWORKS: Record<string, readonly string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Without a list of addresses, TRUST_PROXY means that either every connection comes from a proxy, or none does. */
function createProxyCheck(trustProxy: AddressLimit['trustProxy']): (address: string) => boolean {
  if (!Array.isArray(trustProxy)) return () => Number(trustProxy) > 0
  const proxies = new BlockList()
  for (const network of trustProxy.flatMap((entry) => NETWORKS[entry] ?? [entry])) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) proxies.addAddress(address, family)
    else proxies.addSubnet(address, Number(bits), family)
  }
  return (address) => proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
