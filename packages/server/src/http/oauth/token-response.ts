import type { TokenResponse } from '@portico/wire/oauth/token'
import type { Client } from '../../domain/identity/partner/store.ts'
import { issueToken } from '../../domain/identity/token/issue.ts'
import type { SigningPair } from '../../domain/identity/token/key-ring.ts'
import { EXPIRES_IN_SECONDS } from '../../domain/identity/token/token.ts'
import type { Services } from '../services.ts'

const RESPONSE: TokenResponse = {
  token_type: 'Bearer',
  expires_in: EXPIRES_IN_SECONDS,
  ext_expires_in: EXPIRES_IN_SECONDS,
  access_token: '<token>',
}
/** Split once: a token needs no escaping, so JSON.stringify need not scan each one. */
const [BEFORE_TOKEN, AFTER_TOKEN] = JSON.stringify(RESPONSE).split(RESPONSE.access_token)

export type TokenIssuerServices = Pick<Services, 'addresses' | 'tenant' | 'clock' | 'lastUse' | 'metrics'>

/** Issues a token to a client that has presented this secret, and returns the response body. */
export function issueTokenResponse(
  { addresses, tenant, clock, lastUse, metrics }: TokenIssuerServices,
  client: Client,
  secretId: string,
  key: SigningPair,
): string {
  const token = issueToken({ key, issuer: addresses.issuer, tenant, client, now: clock.now() })
  lastUse.record(secretId)
  metrics.tokensIssued.inc()
  return `${BEFORE_TOKEN}${token}${AFTER_TOKEN}`
}
