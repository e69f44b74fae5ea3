import type { LimitRequest, LimitWindow } from '../../domain/identity/rate-limit/limits.ts'

const MINUTE_MS = 60_000
const TOKENS: LimitWindow[] = [{ limit: 30, ms: MINUTE_MS }]
const WRONG_SECRETS: LimitWindow[] = [{ limit: 10, ms: MINUTE_MS }]

export const tokenLimit = (clientId: string): LimitRequest => ({
  kind: 'tokens',
  key: clientId,
  windows: TOKENS,
})

/** Limits wrong secrets per client and address. */
export const wrongSecretLimit = (clientId: string, address: string): LimitRequest => ({
  kind: 'wrong-secrets',
  key: `${clientId} ${address}`,
  windows: WRONG_SECRETS,
})
