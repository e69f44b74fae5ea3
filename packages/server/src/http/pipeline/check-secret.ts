import { findSecret, isLive } from '../../domain/identity/partner/secret.ts'
import type { Client } from '../../domain/identity/partner/store.ts'
import {
  getRetryAfterSeconds,
  type LimitRequest,
  type LimitWindow,
} from '../../domain/identity/rate-limit/limits.ts'
import { andThen, type MaybePromise } from '../../kernel/maybe-promise.ts'
import type { Services } from '../services.ts'
import type { Call } from './call.ts'

type SecretCheck =
  | { outcome: 'valid'; secretId: string }
  | { outcome: 'wrong' | 'expired' }
  | { outcome: 'limited'; retryAfterSeconds: number }

/**
 * Checks a secret. Wrong secrets are limited per client and address, at every endpoint together; a correct one is
 * always accepted.
 */
export function checkSecret(
  call: Call,
  services: Pick<Services, 'clock' | 'isRateLimited' | 'limits' | 'trustsEveryProxy'>,
  client: Client,
  value: string,
): MaybePromise<SecretCheck> {
  const secret = findSecret(client.secrets, value)
  if (secret && isLive(secret, services.clock.now())) return { outcome: 'valid', secretId: secret.secretId }
  const use = wrongSecretLimit(client.clientId, addressForLimits(call, services))
  return andThen(consumeUnit(services, use), (retryAfterSeconds): SecretCheck => {
    if (retryAfterSeconds !== undefined) return { outcome: 'limited', retryAfterSeconds }
    return { outcome: secret ? 'expired' : 'wrong' }
  })
}

/** Consumes a limit; returns the seconds to wait if it is exceeded. */
export function consumeUnit(
  { isRateLimited, limits }: Pick<Services, 'isRateLimited' | 'limits'>,
  use: LimitRequest,
): MaybePromise<number | undefined> {
  return isRateLimited ? andThen(limits.consume(use), getRetryAfterSeconds) : undefined
}

/** With `TRUST_PROXY=on`, a client can forge its address in X-Forwarded-For and would get a new allowance for each. */
const addressForLimits = (call: Call, { trustsEveryProxy }: Pick<Services, 'trustsEveryProxy'>): string =>
  trustsEveryProxy ? (call.request.socket.remoteAddress ?? '') : call.address

const WRONG_SECRETS: LimitWindow[] = [{ limit: 10, ms: 60_000 }]

const wrongSecretLimit = (clientId: string, address: string): LimitRequest => ({
  kind: 'wrong-secrets',
  key: `${clientId} ${address}`,
  windows: WRONG_SECRETS,
})
