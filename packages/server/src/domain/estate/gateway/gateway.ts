import { createHash, pbkdf2Sync } from 'node:crypto'
import { newSecretValue, newUuid, newSalt } from '../../../kernel/ids.ts'

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

/** The default of mosquitto_passwd. The password is 256 random bits, so more iterations would add no security. */
const ITERATIONS = 101
const SALT_BYTES = 12
const HASH_BYTES = 64

/** A password hash in the format of Mosquitto 2's password file: PBKDF2 with SHA-512. */
export function mosquittoHash(password: string): string {
  const salt = newSalt(SALT_BYTES)
  const hash = pbkdf2Sync(password, salt, ITERATIONS, HASH_BYTES, 'sha512')
  return `$7$${ITERATIONS}$${Buffer.from(salt).toString('base64')}$${hash.toString('base64')}`
}
