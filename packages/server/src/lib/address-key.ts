import { isIPv6 } from 'node:net'

/** An IPv4 address in IPv6 notation is that IPv4 address. A host has a whole /64 of IPv6, which counts as one address. */
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
