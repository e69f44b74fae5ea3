import type { TokenResponse } from '@portico/wire/oauth/token'
import { andThen, type MaybePromise } from '../../kernel/maybe-promise.ts'
import {
  type LimitRequest,
  getRetryAfterSeconds,
  type LimitWindow,
} from '../../domain/identity/rate-limit/limits.ts'
import { findSecret, isLive } from '../../domain/identity/partner/secret.ts'
import type { Client } from '../../domain/identity/partner/store.ts'
import { MAX_TOKEN_BODY_BYTES } from '../pipeline/limits.ts'
import { bytesBody } from '../pipeline/body/read-body.ts'
import type { Call } from '../pipeline/call.ts'
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
    if (method !== 'POST') throw new TokenError(900561)
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

type SecretServices = Pick<Services, 'clock' | 'isRateLimited' | 'limits' | 'trustsEveryProxy'>

/** Returns the id of a valid secret. Wrong secrets are throttled; a correct one is always accepted. */
function requireSecret(
  call: Call,
  services: SecretServices,
  client: Client,
  value: string,
): MaybePromise<string> {
  const secret = findSecret(client.secrets, value)
  if (secret && isLive(secret, services.clock.now())) return secret.secretId
  return andThen(
    consumeLimit(services, wrongSecretLimit(client.clientId, addressForLimits(call, services))),
    () => {
      throw new TokenError(secret ? 7000222 : 7000215)
    },
  )
}

/** With `TRUST_PROXY=on`, a client can forge its address in X-Forwarded-For and would get a new allowance for each. */
const addressForLimits = (call: Call, { trustsEveryProxy }: Pick<Services, 'trustsEveryProxy'>): string =>
  trustsEveryProxy ? (call.request.socket.remoteAddress ?? '') : call.address

function consumeLimit(
  { isRateLimited, limits }: Pick<Services, 'isRateLimited' | 'limits'>,
  use: LimitRequest,
): MaybePromise<void> {
  if (!isRateLimited) return undefined
  return andThen(limits.consume(use), (verdicts) => {
    const retryAfterSeconds = getRetryAfterSeconds(verdicts)
    if (retryAfterSeconds !== undefined) throw new TokenError(90055, { retryAfterSeconds })
  })
}

const MINUTE_MS = 60_000
const TOKENS: LimitWindow[] = [{ limit: 30, ms: MINUTE_MS }]
const WRONG_SECRETS: LimitWindow[] = [{ limit: 10, ms: MINUTE_MS }]

const tokenLimit = (clientId: string): LimitRequest => ({
  kind: 'tokens',
  key: clientId,
  windows: TOKENS,
})

/** Limits wrong secrets per client and address. */
const wrongSecretLimit = (clientId: string, address: string): LimitRequest => ({
  kind: 'wrong-secrets',
  key: `${clientId} ${address}`,
  windows: WRONG_SECRETS,
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
