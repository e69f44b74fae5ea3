import type { Cache } from './cache.ts'
import { ConfigurationError } from './errors.ts'
import type { Hooks } from './hooks.ts'
import type { CallOptions } from './send.ts'

/** Options of every client. Absent options are read from the environment, if the runtime has one. */
export interface ClientOptions extends Hooks, Omit<CallOptions, 'idempotencyKey' | 'signal'> {
  /** The token issuer, `<public URL>/<tenant>`. Environment: PORTICO_AUTH_URL. */
  authUrl?: string | undefined
  clientId?: string | undefined
  clientSecret?: string | undefined
  /**
   * Supplies access tokens instead of `authUrl`, `clientId` and `clientSecret`. The function must cache them itself.
   */
  token?: (() => string | Promise<string>) | undefined
  /** Delays calls while the rate limit is used up; true by default. */
  pace?: boolean | undefined
  /** Caches responses and revalidates them with the server; off by default. */
  cache?: Cache | undefined
  /** Your program, for the User-Agent header: `{ name: 'example-energy', version: '1.4' }`. */
  appInfo?: { name: string; version?: string } | undefined
  /** Another implementation of `fetch`. */
  fetch?: typeof fetch | undefined
}

/** Shape of an identifier. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

interface Runtime {
  process?: { env?: Record<string, string | undefined> }
}

/** A variable of the environment; browsers have none, and Deno may deny access to it. */
export function readEnv(name: string): string | undefined {
  try {
    return (globalThis as unknown as Runtime).process?.env?.[name] || undefined
  } catch {
    return undefined
  }
}

export function requireOption(value: string | undefined, option: string, variable: string): string {
  if (value !== undefined && value.trim() !== '') return value.trim()
  throw new ConfigurationError(`${option} is missing: pass it, or set ${variable}`)
}

export function requireUrl(value: string, option: string): string {
  if (!/^https?:\/\//.test(value) || !URL.canParse(value))
    throw new ConfigurationError(`${option} is not an address: ${value}`)
  return value.replace(/\/+$/, '')
}

export function requireBaseUrl(value: string): string {
  const url = requireUrl(value, 'baseUrl')
  if (url.endsWith('/v1')) throw new ConfigurationError('baseUrl ends in /v1: this SDK calls version 2 (/v2)')
  return url
}

export function requireSecret(value: string): string {
  if (UUID.test(value))
    throw new ConfigurationError('clientSecret is a UUID: this is the secret’s id, not its value')
  return value
}

export function requireSiteId(value: string): string {
  if (!UUID.test(value)) throw new ConfigurationError(`siteId is not a UUID: ${value}`)
  return value.toLowerCase()
}
