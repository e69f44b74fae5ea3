import type { Use, Window } from '../../limit/limits.ts'

const MINUTE_MS = 60_000
const TOKENS: Window[] = [{ limit: 30, ms: MINUTE_MS }]
const WRONG_SECRETS: Window[] = [{ limit: 10, ms: MINUTE_MS }]

export const useOfToken = (clientId: string): Use => ({ what: 'tokens', key: clientId, windows: TOKENS })

/** Slowed down per client and address. */
export const useOfWrongSecret = (clientId: string, address: string): Use => ({
  what: 'wrong-secrets',
  key: `${clientId} ${address}`,
  windows: WRONG_SECRETS,
})
