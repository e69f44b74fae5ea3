import { SERVER } from '@portico/server/domain/identity/audit'
import type { Config } from '@portico/server/config/config'
import type { Services } from '@portico/server/http/services'
import { parseBrokerAddress } from '@portico/server/mqtt/brokers/address'

export interface GatewayAccount {
  mqttUsername: string
  mqttPassword: string
}

interface WantedGateway {
  siteUuid: string
  gatewayUuid: string
  name: string
}

/** Accounts that other instances have in their demo.env files. */
const MAX_BESIDE = 4

/**
 * Returns a gateway account of the demo: the known one if it is still valid, otherwise one with a new password. If
 * other instances may exist, it is an additional account of the site, and theirs stay valid.
 */
export async function ensureGateway(
  { gateways }: Services,
  wanted: WantedGateway,
  stored: { mqttUsername: string | undefined; mqttPassword: string | undefined },
  { mayHaveOthers }: { mayHaveOthers: boolean },
): Promise<GatewayAccount> {
  const { siteUuid, gatewayUuid, name } = wanted
  const { mqttUsername, mqttPassword } = stored
  if (mqttUsername !== undefined && mqttPassword !== undefined) {
    const found = await gateways.authenticate(mqttUsername, mqttPassword)
    if (found?.siteUuid === siteUuid) return { mqttUsername, mqttPassword }
  }
  const all = await gateways.list(siteUuid)
  const isThere = all.some((gateway) => gateway.gatewayUuid === gatewayUuid)
  if (!isThere) return gateways.add(siteUuid, { name, gatewayUuid }, SERVER)
  if (!mayHaveOthers) {
    await gateways.remove(siteUuid, gatewayUuid, SERVER)
    return gateways.add(siteUuid, { name, gatewayUuid }, SERVER)
  }
  const beside = all
    .filter((gateway) => gateway.name === name && gateway.gatewayUuid !== gatewayUuid)
    .toSorted((a, b) => b.createdAt - a.createdAt)
  for (const old of beside.slice(MAX_BESIDE - 1)) await gateways.remove(siteUuid, old.gatewayUuid, SERVER)
  return gateways.add(siteUuid, { name }, SERVER)
}

/** The address to which a device of the demo connects. */
export function deviceAddress({ mqttHost: host, mqttUrl }: Config, mqttPort: number): string {
  if (mqttUrl !== undefined) return parseBrokerAddress(mqttUrl).url
  const isAnywhere = ['0.0.0.0', '::'].includes(host)
  const name = isAnywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `mqtt://${name}:${mqttPort}`
}
