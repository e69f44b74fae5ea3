import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { calculateJwkThumbprint, exportJWK, type JWK } from 'jose'
import type { TokenAlgorithm } from './token.ts'

export interface SigningKey {
  kid: string
  algorithm: TokenAlgorithm
  /** PKCS #8, PEM. */
  privateKey: string
  publicJwk: JWK
  createdAt: number
  /** When a newer key replaced it; it verifies tokens until the last one it signed has expired. */
  retiredAt: number | null
}

const generate = promisify(generateKeyPair)

const newPair = (algorithm: TokenAlgorithm): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> =>
  algorithm === 'ES256' ? generate('ec', { namedCurve: 'P-256' }) : generate('rsa', { modulusLength: 2048 })

export async function createSigningKey(algorithm: TokenAlgorithm, now: number): Promise<SigningKey> {
  const { publicKey, privateKey } = await newPair(algorithm)
  const jwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  return {
    kid,
    algorithm,
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }),
    publicJwk: { ...jwk, kid, alg: algorithm, use: 'sig' },
    createdAt: now,
    retiredAt: null,
  }
}

export const loadPrivateKey = (key: SigningKey): KeyObject => createPrivateKey(key.privateKey)
