import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose'
import { unavailable } from '../../../kernel/errors.ts'

/** An issuer that the operator trusts in addition to, or instead of, the built-in one. */
export interface ExternalIssuer {
  issuer: string
  jwksUrl: string
  audiences: readonly string[]
}

/** Asymmetric only: a shared key that verifies tokens can also forge them. */
export const EXTERNAL_ALGORITHMS = ['RS256', 'ES256', 'PS256']

/** The issuer's keys over HTTP. If they cannot be fetched, the token may still be valid: a 503, not a 401. */
export function createRemoteKeys(issuer: ExternalIssuer): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(issuer.jwksUrl), {
    timeoutDuration: 3_000,
    cooldownDuration: 10_000,
  })
  return async (header, token) => {
    try {
      return await keys(header, token)
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
        throw error
      throw unavailable(`The key set of the external issuer ${issuer.issuer} cannot be read.`, error)
    }
  }
}
