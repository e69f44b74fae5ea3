import { createHash } from 'node:crypto'
import { newSecretValue, newUuid } from '../../../kernel/ids.ts'
import { mosquittoHash } from './mosquitto-hash.ts'

/** An MQTT account of a site, through which its devices publish and receive messages. */
export interface Gateway {
  siteUuid: string
  gatewayUuid: string
  name: string
  mqttUsername: string
  createdAt: number
}

export interface StoredGateway extends Gateway {
  /** SHA-256; the password is 256 random bits. */
  passwordHash: Uint8Array
  /** For the password file of an external Mosquitto; null for gateways created before it was stored. */
  mosquittoHash: string | null
}

export const hashPassword = (password: string | Uint8Array): Uint8Array =>
  createHash('sha256').update(password).digest()

export function createGateway(
  siteUuid: string,
  name: string,
  now: number,
  gatewayUuid: string = newUuid(),
): { gateway: StoredGateway; password: string } {
  const password = newSecretValue()
  const mqttUsername = `gateway-${gatewayUuid}`
  return {
    password,
    gateway: {
      siteUuid,
      gatewayUuid,
      name,
      mqttUsername,
      createdAt: now,
      passwordHash: hashPassword(password),
      mosquittoHash: mosquittoHash(password),
    },
  }
}
