import type { TokenResponse } from '@portico/wire/oauth/token'
import { andThen, type MaybePromise } from '../../kernel/maybe-promise.ts'
import type { LimitRequest, LimitWindow } from '../../domain/identity/rate-limit/limits.ts'
import type { Client } from '../../domain/identity/partner/store.ts'
import { MAX_TOKEN_BODY_BYTES } from '../pipeline/limits.ts'
import { bytesBody } from '../pipeline/body/read-body.ts'
import type { Call } from '../pipeline/call.ts'
import { checkSecret, consumeUnit } from '../pipeline/check-secret.ts'
import { ready } from '../pipeline/gates.ts'
import { JSON_TYPE } from '../pipeline/reply.ts'
import type { Gate, RunnableRoute, Surface } from '../pipeline/route.ts'
import type { Services } from '../services.ts'
import { TokenError } from './errors.ts'
import { renderTokenError, type TokenErrorServices } from './render-error.ts'
import { readTokenRequest, requireOwnScope } from './token-request.ts'
import { issueToken } from '../../domain/identity/token/issue.ts'
import type { SigningPair } from '../../domain/identity/token/key-ring.ts'
import { EXPIRES_IN_SECONDS } from '../../domain/identity/token/token.ts'

/** The token endpoint has its own error format. */
export const createTokenSurface = (services: TokenErrorServices & Pick<Services, 'tenant'>): Surface => ({
  prefix: `/${services.tenant}`,
  apiVersion: undefined,
  isConditional: false,
  renderError: (error, call) => renderTokenError(error, call, services),
})

/** Prevents caching of the response, which contains a token. */
const neverStored: Gate = {
  pass(call) {
    call.replyHeaders.push('cache-control', 'no-store', 'pragma', 'no-cache')
  },
}

const postOnly: Gate = {
  pass({ method }) {
    return method === 'POST' ? undefined : new TokenError(900561)
  },
}

/** POST {auth_url}/oauth2/v2.0/token */
export const tokenRoute: RunnableRoute = {
  method: 'ANY',
  path: '/oauth2/v2.0/token',
  gates: [ready, neverStored, postOnly],
  // A body that is not a form has no parameters, and the response is then an OAuth error.
  reads: bytesBody(MAX_TOKEN_BODY_BYTES),
  handle(call, services: TokenIssuerServices & SecretServices & Pick<Services, 'directory' | 'keys'>) {
    const { clientId, secret, scope } = readTokenRequest(call)
    return andThen(services.directory.find(clientId), (found) => {
      const client = requireEnabled(found)
      return andThen(requireSecret(call, services, client, secret), (secretId) => {
        requireOwnScope(scope, client)
        return andThen(consumeLimit(services, tokenLimit(client.clientId)), () =>
          andThen(services.keys.current(), (key) => ({
            status: 200,
            type: JSON_TYPE,
            body: issueTokenResponse(services, client, secretId, key),
          })),
        )
      })
    })
  },
}

function requireEnabled(client: Client | undefined): Client {
  if (!client) throw new TokenError(700016)
  if (!client.enabled) throw new TokenError(7000112)
  return client
}

type SecretServices = Parameters<typeof checkSecret>[1]

/** Returns the id of a valid secret. */
const requireSecret = (
  call: Call,
  services: SecretServices,
  client: Client,
  value: string,
): MaybePromise<string> =>
  andThen(checkSecret(call, services, client, value), (check) => {
    if (check.outcome === 'valid') return check.secretId
    if (check.outcome === 'limited') throw tooManyRequests(check.retryAfterSeconds)
    throw new TokenError(check.outcome === 'expired' ? 7000222 : 7000215)
  })

const tooManyRequests = (retryAfterSeconds: number): TokenError =>
  new TokenError(90055, { retryAfterSeconds })

const consumeLimit = (services: SecretServices, use: LimitRequest): MaybePromise<void> =>
  andThen(consumeUnit(services, use), (retryAfterSeconds) => {
    if (retryAfterSeconds !== undefined) throw tooManyRequests(retryAfterSeconds)
  })

const MINUTE_MS = 60_000
const TOKENS: LimitWindow[] = [{ limit: 30, ms: MINUTE_MS }]

const tokenLimit = (clientId: string): LimitRequest => ({
  kind: 'tokens',
  key: clientId,
  windows: TOKENS,
})

const RESPONSE: TokenResponse = {
  token_type: 'Bearer',
  expires_in: EXPIRES_IN_SECONDS,
  ext_expires_in: EXPIRES_IN_SECONDS,
  access_token: '<token>',
}
/** Split once: a token needs no escaping, so JSON.stringify need not scan each one. */
const [BEFORE_TOKEN, AFTER_TOKEN] = JSON.stringify(RESPONSE).split(RESPONSE.access_token)

type TokenIssuerServices = Pick<Services, 'addresses' | 'tenant' | 'clock' | 'lastUse' | 'metrics'>

/** Issues a token to a client that has presented this secret, and returns the response body. */
function issueTokenResponse(
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
