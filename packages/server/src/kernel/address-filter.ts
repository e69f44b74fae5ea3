import { BlockList, isIP } from 'node:net'

/** Decides which addresses a request to a third party's address may reach. Addresses are literals without brackets. */
export interface AddressFilter {
  /** The address is public, or in one of the allowed networks. */
  isAllowed(address: string): boolean
  /** The address is in one of the allowed networks. */
  isListed(address: string): boolean
  /** Whether any network is allowed in addition to the public ones. */
  readonly hasNetworks: boolean
}

/** IPv4 networks that are not public (RFC 6890 and its successors, multicast included). */
const NOT_PUBLIC_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]

/** Global unicast, and what is reserved inside it: Teredo and other protocols, documentation, 6to4. */
const GLOBAL_IPV6 = ['2000::/3']
const NOT_PUBLIC_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

/**
 * A connection to such an address reaches the IPv4 address inside it, so it is never allowed: `::/0` as an allowed
 * network must not include 169.254.169.254 in another spelling.
 */
const MAPPED_IPV4 = ['::ffff:0:0/96']

/**
 * IPv4 addresses that are not public, as NAT64 translates them (RFC 6052). An operator allows the prefix so that public
 * IPv4 addresses can be reached. Others must not be translated (RFC 6052, 3.1), but not every gateway obeys.
 */
const TRANSLATED_IPV4 = NOT_PUBLIC_IPV4.map((text) => {
  const [address, prefix] = text.split('/')
  return `64:ff9b::${address}/${96 + Number(prefix)}`
})

/** A network in CIDR notation; a single address without a prefix is also accepted. */
export interface Network {
  address: string
  prefix: number
  family: 'ipv4' | 'ipv6'
}

/** Undefined if the text is not a network. */
export function parseNetwork(text: string): Network | undefined {
  const [, address = '', length] = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? []
  const version = isIP(address)
  if (version === 0) return undefined
  const longest = version === 4 ? 32 : 128
  const prefix = length === undefined ? longest : Number(length)
  return prefix > longest ? undefined : { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' }
}

/**
 * One list per address family: in a common list, an IPv6 rule such as `::/3` also matches every IPv4 address, because
 * BlockList compares IPv4 addresses as `::ffff:…`.
 */
function createList(networks: readonly Network[], family: Network['family']): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks)
    if (network.family === family) list.addSubnet(network.address, network.prefix, family)
  return (address) => list.check(address, family)
}

const constantList = (texts: readonly string[], family: Network['family']) =>
  createList(
    texts.flatMap((text) => parseNetwork(text) ?? []),
    family,
  )

const isSpecialIpv4 = constantList(NOT_PUBLIC_IPV4, 'ipv4')
const isGlobalIpv6 = constantList(GLOBAL_IPV6, 'ipv6')
const isSpecialIpv6 = constantList(NOT_PUBLIC_IPV6, 'ipv6')
const isEmbeddedIpv4 = constantList([...MAPPED_IPV4, ...TRANSLATED_IPV4], 'ipv6')

/** Whether an address is in one of the networks. An IPv4 address of a dual-stack socket (`::ffff:…`) is treated as one. */
export function createNetworkCheck(networks: readonly Network[]): (address: string) => boolean {
  const { isListed } = createAddressFilter(networks)
  return (address) => isListed(address.replace(/^::ffff:(?=[\d.]+$)/i, ''))
}

export function createAddressFilter(networks: readonly Network[]): AddressFilter {
  const isListedIpv4 = createList(networks, 'ipv4')
  const isListedIpv6 = createList(networks, 'ipv6')
  // An address with a zone (`fe80::1%eth0`) is never allowed: BlockList does not know zones.
  const getVersion = (address: string): number => (address.includes('%') ? 0 : isIP(address))

  const isListed = (address: string): boolean => {
    const version = getVersion(address)
    if (version === 4) return isListedIpv4(address)
    return version === 6 && !isEmbeddedIpv4(address) && isListedIpv6(address)
  }
  return {
    hasNetworks: networks.length > 0,
    isListed,
    isAllowed(address) {
      if (isListed(address)) return true
      const version = getVersion(address)
      if (version === 4) return !isSpecialIpv4(address)
      return version === 6 && isGlobalIpv6(address) && !isSpecialIpv6(address)
    },
  }
}

/** The address that the hostname of a parsed URL spells; undefined if it is a name. */
export function toLiteralAddress(hostname: string): string | undefined {
  const address = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(address) === 0 ? undefined : address
}
