import { BlockList, isIP, isIPv6 } from 'node:net'

/** The value of TRUST_PROXY: all, a number of hops, or addresses and networks. */
export type TrustProxy = boolean | number | readonly string[]

/** The names that TRUST_PROXY accepts besides addresses and networks. */
const NETWORKS: Record<string, readonly string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Whether an address is that of a trusted proxy; `hop` is its distance from this server, 0 for the peer. */
export type IsTrustedProxy = (address: string, hop: number) => boolean

export function createProxyCheck(trustProxy: TrustProxy): IsTrustedProxy {
  if (typeof trustProxy === 'boolean') return () => trustProxy
  if (typeof trustProxy === 'number') return (_address, hop) => hop < trustProxy
  const proxies = new BlockList()
  for (const network of trustProxy.flatMap((entry) => NETWORKS[entry] ?? [entry])) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) proxies.addAddress(address, family)
    else proxies.addSubnet(address, Number(bits), family)
  }
  return (address) => isIP(address) !== 0 && proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
