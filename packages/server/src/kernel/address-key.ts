import { isIPv6 } from 'node:net'

/** An IPv4-mapped IPv6 address counts as its IPv4 address; an IPv6 /64, which one host usually has, as one address. */
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
