import { hash, type KeyObject } from 'node:crypto'
import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTHeaderParameters,
  type JWTPayload,
  jwtVerify,
} from 'jose'
import { AppError } from '../../../kernel/errors.ts'
import { BoundedCache } from '../../../kernel/cache.ts'
import { type Clock, toSeconds } from '../../../kernel/clock.ts'
import { andThen, type MaybePromise } from '../../../kernel/maybe-promise.ts'
import { createSemaphore, type Semaphore } from '../../../kernel/concurrency.ts'
import type { PartnerDirectory } from '../partner/directory.ts'
import { toAudience } from '../partner/partner.ts'
import type { Client } from '../partner/store.ts'
import type { ConsoleSessions } from '../session/service.ts'
import type { KeyRing } from './key-ring.ts'
import { CONSOLE_USE, TOKEN_ALGORITHMS } from './token.ts'
import { EXTERNAL_ALGORITHMS, type ExternalIssuer, createRemoteKeys } from './external-issuer.ts'

const MAX_VERIFIED_TOKENS = 10_000
const MAX_TOKEN_LENGTH = 8_192
/** Hashes of permanently invalid tokens, so that a repeated one costs no second signature check. About 1 MB. */
const MAX_REJECTED_TOKENS = 10_000
/** Bounded, because an issuer may publish a new key under the same id. */
const REJECTED_FOR_MS = 60_000
/**
 * Signatures that are verified concurrently: half of libuv's threads. A flood of forged tokens is queued here and
 * leaves the other threads for compression and file access.
 */
const MAX_VERIFICATIONS = 2

/** The claims of a token whose signature, issuer and audience are verified. */
interface VerifiedToken {
  clientId: string
  /** The built-in key that signed it; undefined for a token of the external issuer. */
  kid?: string
  /** The console session that it is for. */
  sessionId?: string
  issuedAt: number
  expiresAt: number
}

/** The client of a token. */
export interface VerifiedClient extends Client {
  /** Set if the token is for a console session. */
  readonly sessionId?: string
}

export interface TokenVerifier {
  /** The client a token was issued to; throws `token-expired` or `token-invalid`. */
  verify(token: string): MaybePromise<VerifiedClient>
}

const invalid = (internal: string, cause?: unknown): AppError =>
  new AppError('token-invalid', 'The access token is not valid for this installation.', { internal, cause })

const expired = (): AppError => new AppError('token-expired', 'The access token has expired.')

export function createTokenVerifier(deps: {
  /** Undefined if the built-in issuer is disabled. */
  builtIn: { issuer: string; keys: KeyRing } | undefined
  external: ExternalIssuer | undefined
  directory: PartnerDirectory
  sessions: Pick<ConsoleSessions, 'find'>
  clock: Clock
}): TokenVerifier {
  const { directory, sessions, clock } = deps
  const verifiedTokens = new BoundedCache<string, VerifiedToken>(MAX_VERIFIED_TOKENS)
  const rejectedAt = new BoundedCache<string, number>(MAX_REJECTED_TOKENS)
  const semaphore = createSemaphore(MAX_VERIFICATIONS)
  const verifiers = new Map<string, IssuerVerifier>()
  if (deps.builtIn) verifiers.set(deps.builtIn.issuer, builtInVerifier(deps.builtIn, clock, semaphore))
  if (deps.external) verifiers.set(deps.external.issuer, externalVerifier(deps.external, clock, semaphore))

  const verifySignature = async (token: string): Promise<VerifiedToken> => {
    if (token.length > MAX_TOKEN_LENGTH) throw invalid('it is longer than any accepted token')
    const digest = hash('sha256', token, 'base64')
    const age = clock.now() - (rejectedAt.get(digest) ?? Number.NEGATIVE_INFINITY)
    if (age >= 0 && age < REJECTED_FOR_MS) throw invalid('it was rejected recently')
    try {
      const verifyIssued = verifiers.get(decodeJwt(token).iss ?? '')
      if (!verifyIssued) throw invalid('its issuer is not trusted')
      return await verifyIssued(token)
    } catch (error) {
      if (error instanceof AppError) throw error
      if (error instanceof errors.JWTExpired) throw expired()
      if (isPermanentlyInvalid(error)) rejectedAt.set(digest, clock.now())
      throw invalid('its signature or claims are invalid', error)
    }
  }

  /** Checks what may change after a signature was verified: the time, the client and the session. */
  const requireCaller = (token: string, verified: VerifiedToken): MaybePromise<VerifiedClient> => {
    if (toSeconds(clock.now()) >= verified.expiresAt) {
      verifiedTokens.delete(token)
      throw expired()
    }
    return andThen(directory.find(verified.clientId), (client) => {
      if (!client) throw invalid('its client is unknown')
      if (!client.enabled) throw invalid('its client is disabled')
      if (verified.issuedAt < client.tokensNotBefore)
        throw invalid('it was issued before its client was disabled')
      const { sessionId } = verified
      if (sessionId === undefined) return client
      return andThen(sessions.find(sessionId), (session) => {
        if (session?.clientId !== client.clientId) throw invalid('its console session has ended')
        return { ...client, sessionId }
      })
    })
  }

  /** A key may be revoked after its tokens were verified. */
  const requireKey = (kid: string | undefined): MaybePromise<void> => {
    if (kid === undefined) return undefined
    return andThen(deps.builtIn?.keys.find(kid), (key) => {
      if (!key) throw invalid('its key was revoked')
    })
  }

  const verifyFirst = async (token: string): Promise<VerifiedClient> => {
    const verified = await verifySignature(token)
    const caller = await requireCaller(token, verified)
    verifiedTokens.set(token, verified)
    return caller
  }

  return {
    verify(token) {
      const verified = verifiedTokens.get(token)
      if (!verified) return verifyFirst(token)
      return andThen(requireCaller(token, verified), (caller) =>
        andThen(requireKey(verified.kid), () => caller),
      )
    },
  }
}

/** Whether a token can never become valid: its format or signature is wrong. Keys, clients and the time may change. */
const isPermanentlyInvalid = (error: unknown): boolean =>
  error instanceof errors.JWSSignatureVerificationFailed ||
  error instanceof errors.JWSInvalid ||
  error instanceof errors.JWTInvalid

type IssuerVerifier = (token: string) => Promise<VerifiedToken>

function builtInVerifier(
  builtIn: { issuer: string; keys: KeyRing },
  clock: Clock,
  semaphore: Semaphore,
): IssuerVerifier {
  const findKey = async ({ kid, alg }: { kid?: unknown; alg?: unknown }): Promise<KeyObject> => {
    const key = typeof kid === 'string' ? await builtIn.keys.find(kid) : undefined
    if (!key) throw invalid('its key is unknown')
    if (key.algorithm !== alg) throw invalid('its algorithm is not that of its key')
    return key.publicKey
  }
  return async (token) => {
    // Without the semaphore: for an unknown key id, the keys are reloaded, which takes time but no CPU.
    const key = await findKey(decodeProtectedHeader(token))
    const { payload, protectedHeader } = await semaphore(() =>
      jwtVerify(token, key, {
        algorithms: [...TOKEN_ALGORITHMS],
        issuer: builtIn.issuer,
        typ: 'at+jwt',
        requiredClaims: ['exp', 'iat', 'nbf', 'azp', 'aud', 'jti'],
        currentDate: new Date(clock.now()),
      }),
    )
    const verified = appOnly(payload)
    if (payload.aud !== toAudience(verified.clientId)) throw invalid('it is for another audience')
    return {
      ...verified,
      ...requireSession(payload),
      ...(protectedHeader.kid === undefined ? {} : { kid: protectedHeader.kid }),
    }
  }
}

/** Only the built-in issuer has console sessions; the claims of other issuers may mean something else. */
function requireSession({ use, sid }: JWTPayload): { sessionId?: string } {
  if (use === undefined) return {}
  if (use !== CONSOLE_USE || typeof sid !== 'string') throw invalid('its use is unknown')
  return { sessionId: sid }
}

const isAcceptedHeader = (header: { alg?: unknown }): header is JWTHeaderParameters =>
  typeof header.alg === 'string' && EXTERNAL_ALGORITHMS.includes(header.alg)

function externalVerifier(issuer: ExternalIssuer, clock: Clock, semaphore: Semaphore): IssuerVerifier {
  const keys = createRemoteKeys(issuer)
  return async (token) => {
    const header = decodeProtectedHeader(token)
    if (!isAcceptedHeader(header)) throw invalid('its algorithm is not accepted')
    // Without the semaphore: the issuer's keys may have to be fetched.
    const key = await keys(header, { payload: '', signature: '' })
    const { payload } = await semaphore(() =>
      jwtVerify(token, key, {
        algorithms: EXTERNAL_ALGORITHMS,
        issuer: issuer.issuer,
        audience: [...issuer.audiences],
        requiredClaims: ['exp', 'iat'],
        currentDate: new Date(clock.now()),
      }),
    )
    return appOnly(payload)
  }
}

/** Accepts client credentials only: the token of a signed-in user has `scp`, or an `idtyp` other than app. */
function appOnly(payload: JWTPayload): VerifiedToken {
  if (payload['scp'] !== undefined) throw invalid('it has scp: it is a user token')
  if (payload['idtyp'] !== undefined && payload['idtyp'] !== 'app') throw invalid('its idtyp is not app')
  const clientId = payload['azp'] ?? payload['appid'] ?? payload['client_id']
  if (typeof clientId !== 'string') throw invalid('it names no client')
  if (payload.exp === undefined || payload.iat === undefined) throw invalid('it has no exp or iat')
  return { clientId: clientId.toLowerCase(), issuedAt: payload.iat, expiresAt: payload.exp }
}
