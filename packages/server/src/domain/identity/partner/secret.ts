import { hash } from 'node:crypto'
import { constantEquals } from '../../../kernel/constant-equals.ts'
import { newSecretValue, newUuid } from '../../../kernel/ids.ts'

export const MAX_LIVE_SECRETS = 5
export const DEFAULT_SECRET_DAYS = 365
export const MAX_SECRET_DAYS = 3650

const DAY_MS = 86_400_000

export interface Secret {
  secretId: string
  /** The first characters of the value, to distinguish secrets. */
  hint: string
  createdAt: number
  expiresAt: number
  lastUsedAt: number | null
}

export interface StoredSecret extends Secret {
  /** SHA-256 of the value. A 256-bit random value needs no slow hash. */
  hash: Uint8Array
}

const hashSecret = (value: string): Uint8Array => hash('sha256', value, 'buffer')

export function createSecret(now: number, expiresInDays: number): { value: string; secret: StoredSecret } {
  const value = newSecretValue()
  return {
    value,
    secret: {
      secretId: newUuid(),
      hint: value.slice(0, 4),
      hash: hashSecret(value),
      createdAt: now,
      expiresAt: now + Math.round(expiresInDays * DAY_MS),
      lastUsedAt: null,
    },
  }
}

export const isLive = (secret: Secret, now: number): boolean => now < secret.expiresAt

/** The secret with this value, active or expired. Compares with every secret, so that timing reveals nothing. */
export function findSecret(secrets: readonly StoredSecret[], value: string): StoredSecret | undefined {
  const hash = hashSecret(value)
  let found: StoredSecret | undefined
  for (const secret of secrets) {
    if (constantEquals(secret.hash, hash)) found = secret
  }
  return found
}
