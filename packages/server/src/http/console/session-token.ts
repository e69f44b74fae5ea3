import { CONSOLE_TOKEN_SECONDS } from '../../domain/identity/session/session.ts'
import { issueToken } from '../../domain/identity/token/issue.ts'
import { consumeUnit } from '../pipeline/check-secret.ts'
import { consoleLimit } from '../pipeline/rate-limit.ts'
import type { Services } from '../services.ts'
import type { LiveSession } from './live-session.ts'

export type TokenServices = Pick<
  Services,
  'addresses' | 'clock' | 'isRateLimited' | 'keys' | 'limits' | 'metrics' | 'tenant'
>

/** An access token of a session and what the script needs to know about its partner. */
export interface SessionToken {
  accessToken: string
  expiresIn: number
  roles: readonly string[]
  partner: { partnerUuid: string; name: string; clientId: string }
}

/** Issues a token; returns the seconds to wait if the limit of the console is used up. */
export async function issueSessionToken(
  { session, client }: LiveSession,
  services: TokenServices,
): Promise<SessionToken | { retryAfterSeconds: number }> {
  const { addresses, clock, keys, metrics, tenant } = services
  const { partnerUuid, name, clientId, roles } = client
  const retryAfterSeconds = await consumeUnit(services, consoleLimit(partnerUuid))
  if (retryAfterSeconds !== undefined) return { retryAfterSeconds }
  const accessToken = issueToken({
    key: await keys.current(),
    issuer: addresses.issuer,
    tenant,
    client,
    now: clock.now(),
    // One second longer than reported, so that it does not expire earlier than the response says.
    forConsole: { sessionId: session.sessionId, lifetimeSeconds: CONSOLE_TOKEN_SECONDS + 1 },
  })
  metrics.tokensIssued.inc()
  return {
    accessToken,
    expiresIn: CONSOLE_TOKEN_SECONDS,
    roles,
    partner: { partnerUuid, name, clientId },
  }
}
