import { BlockList, isIPv6, type Socket } from 'node:net'

export interface AddressLimit {
  /** Maximum number of connections of one address to this process. */
  max: number
  trustProxy: boolean | number | string[]
}

/** Returns a check whether a new connection is within the limit of its address. One that is counts until it closes. */
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

/** An IPv4-mapped IPv6 address counts as its IPv4 address. A host usually has a whole IPv6 /64, which counts as one address. */
export function toAddressKey(address: string): string {
  const mapped = /^::ffff:([0-9.]+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.toLowerCase().split('::')
  const groups = head === '' ? [] : head.split(':')
  const trailing = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - groups.length - trailing.length
  const all = [...groups, ...Array.from({ length: zeros }, () => '0'), ...trailing]
  return `${all.slice(0, 4).join(':')}::/64`
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
