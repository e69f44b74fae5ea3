import { SERVER } from '../audit/audit.ts'
import type { Config } from '../config/config.ts'
import type { Services } from '../http/services.ts'
import { brokerAddressOf } from '../mqtt/connection.ts'

export interface GatewayAccount {
  mqttUsername: string
  mqttPassword: string
}

/** The account of a demo gateway: with the password that is known, when it still holds, else with a new one. */
export async function ensureGateway(
  { gateways }: Services,
  { siteUuid, gatewayUuid, name }: { siteUuid: string; gatewayUuid: string; name: string },
  known: { mqttUsername: string | undefined; mqttPassword: string | undefined },
): Promise<GatewayAccount> {
  const { mqttUsername, mqttPassword } = known
  if (mqttUsername !== undefined && mqttPassword !== undefined) {
    const found = await gateways.authenticate(mqttUsername, mqttPassword)
    if (found?.gatewayUuid === gatewayUuid) return { mqttUsername, mqttPassword }
  }
  const isThere = (await gateways.list(siteUuid)).some((gateway) => gateway.gatewayUuid === gatewayUuid)
  if (isThere) await gateways.remove(siteUuid, gatewayUuid, SERVER)
  return gateways.add(siteUuid, { name, gatewayUuid }, SERVER)
}

/** Where a device of the demo connects. */
export function deviceAddress({ host, mqttUrl }: Config, mqttPort: number): string {
  if (mqttUrl !== undefined) return brokerAddressOf(mqttUrl).url
  const isAnywhere = ['0.0.0.0', '::'].includes(host)
  const name = isAnywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `mqtt://${name}:${mqttPort}`
}
