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
import type { KeyRing } from './key-ring.ts'
import { TOKEN_ALGORITHMS } from './token.ts'
import { EXTERNAL_ALGORITHMS, type ExternalIssuer, createRemoteKeys } from './external-issuer.ts'

const MAX_REMEMBERED_TOKENS = 10_000
const MAX_TOKEN_LENGTH = 8_192
/** Hashes of permanently invalid tokens, so that a repeated invalid token costs no second signature check. About 1 MB. */
const MAX_REFUSED_TOKENS = 10_000
/** Bounded, because an issuer may publish a new key under the same id. */
const REFUSED_FOR_MS = 60_000
/**
 * Signatures that are verified at a time: half of libuv's threads. A flood of forged tokens is queued here and leaves the other threads
 * for compression and file access.
 */
const MAX_VERIFICATIONS = 2

/** What remains of a token once its signature, issuer and audience were found good. */
interface VerifiedToken {
  clientId: string
  /** The built-in key that signed it; undefined for an outside issuer's. */
  kid?: string
  issuedAt: number
  expiresAt: number
}

export interface TokenVerifier {
  /** The client a token was issued to; throws `token-expired` or `token-invalid`. */
  verify(token: string): MaybePromise<Client>
}

const invalid = (internal: string, cause?: unknown): AppError =>
  new AppError('token-invalid', 'The access token is not valid here.', { internal, cause })

const expired = (): AppError => new AppError('token-expired', 'The access token has expired.')

export function createTokenVerifier(deps: {
  /** Undefined when the built-in issuer is switched off. */
  builtIn: { issuer: string; keys: KeyRing } | undefined
  outside: ExternalIssuer | undefined
  directory: PartnerDirectory
  clock: Clock
}): TokenVerifier {
  const { directory, clock } = deps
  const remembered = new BoundedCache<string, VerifiedToken>(MAX_REMEMBERED_TOKENS)
  const refused = new BoundedCache<string, number>(MAX_REFUSED_TOKENS)
  const turns = createSemaphore(MAX_VERIFICATIONS)
  const judges = new Map<string, IssuerVerifier>()
  if (deps.builtIn) judges.set(deps.builtIn.issuer, builtInVerifier(deps.builtIn, clock, turns))
  if (deps.outside) judges.set(deps.outside.issuer, externalVerifier(deps.outside, clock, turns))

  const judge = async (token: string): Promise<VerifiedToken> => {
    if (token.length > MAX_TOKEN_LENGTH) throw invalid('longer than any token we accept')
    const digest = hash('sha256', token, 'base64')
    const age = clock.now() - (refused.get(digest) ?? Number.NEGATIVE_INFINITY)
    if (age >= 0 && age < REFUSED_FOR_MS) throw invalid('refused a moment ago')
    try {
      const found = judges.get(decodeJwt(token).iss ?? '')
      if (!found) throw invalid('an issuer we do not trust')
      return await found(token)
    } catch (error) {
      if (error instanceof AppError) throw error
      if (error instanceof errors.JWTExpired) throw expired()
      if (isFinal(error)) refused.set(digest, clock.now())
      throw invalid('refused by the checks of its issuer', error)
    }
  }

  /** What may change after a signature was verified: the time and the client's standing. */
  const requireClient = (token: string, verified: VerifiedToken): MaybePromise<Client> => {
    if (toSeconds(clock.now()) >= verified.expiresAt) {
      remembered.delete(token)
      throw expired()
    }
    return andThen(directory.find(verified.clientId), (client) => {
      if (!client) throw invalid('its client is not known here')
      if (!client.enabled) throw invalid('its client is disabled')
      if (verified.issuedAt < client.tokensNotBefore) throw invalid('issued before its client was disabled')
      return client
    })
  }

  /** A key may be revoked after its tokens were verified. */
  const requireKey = (kid: string | undefined): MaybePromise<void> => {
    if (kid === undefined) return undefined
    return andThen(deps.builtIn?.keys.find(kid), (key) => {
      if (!key) throw invalid('its key was revoked')
    })
  }

  const verifyFirst = async (token: string): Promise<Client> => {
    const verified = await judge(token)
    const client = await requireClient(token, verified)
    remembered.set(token, verified)
    return client
  }

  return {
    verify(token) {
      const known = remembered.get(token)
      if (!known) return verifyFirst(token)
      return andThen(requireClient(token, known), (client) => andThen(requireKey(known.kid), () => client))
    },
  }
}

/** Whether a token can never become valid: its form or signature is wrong. Keys, clients and the current time may change. */
const isFinal = (error: unknown): boolean =>
  error instanceof errors.JWSSignatureVerificationFailed ||
  error instanceof errors.JWSInvalid ||
  error instanceof errors.JWTInvalid

type IssuerVerifier = (token: string) => Promise<VerifiedToken>

function builtInVerifier(
  builtIn: { issuer: string; keys: KeyRing },
  clock: Clock,
  turns: Semaphore,
): IssuerVerifier {
  const findKey = async ({ kid, alg }: { kid?: unknown; alg?: unknown }): Promise<KeyObject> => {
    const key = typeof kid === 'string' ? await builtIn.keys.find(kid) : undefined
    if (!key) throw invalid('signed with a key we do not have')
    if (key.algorithm !== alg) throw invalid('its algorithm is not that of its key')
    return key.publicKey
  }
  return async (token) => {
    // Outside the turn: an unknown key id makes the store reload its keys, which takes time but no processor.
    const key = await findKey(decodeProtectedHeader(token))
    const { payload, protectedHeader } = await turns(() =>
      jwtVerify(token, key, {
        algorithms: [...TOKEN_ALGORITHMS],
        issuer: builtIn.issuer,
        typ: 'at+jwt',
        requiredClaims: ['exp', 'iat', 'nbf', 'azp', 'aud', 'jti'],
        currentDate: new Date(clock.now()),
      }),
    )
    const verified = appOnly(payload)
    if (payload.aud !== toAudience(verified.clientId)) throw invalid('made for another audience')
    return { ...verified, ...(protectedHeader.kid === undefined ? {} : { kid: protectedHeader.kid }) }
  }
}

const isOutsideHeader = (header: { alg?: unknown }): header is JWTHeaderParameters =>
  typeof header.alg === 'string' && EXTERNAL_ALGORITHMS.includes(header.alg)

function externalVerifier(outside: ExternalIssuer, clock: Clock, turns: Semaphore): IssuerVerifier {
  const keys = createRemoteKeys(outside)
  return async (token) => {
    const header = decodeProtectedHeader(token)
    if (!isOutsideHeader(header)) throw invalid('its algorithm is not accepted')
    // Outside the turn: the issuer's keys may have to be fetched.
    const key = await keys(header, { payload: '', signature: '' })
    const { payload } = await turns(() =>
      jwtVerify(token, key, {
        algorithms: EXTERNAL_ALGORITHMS,
        issuer: outside.issuer,
        audience: [...outside.audiences],
        requiredClaims: ['exp', 'iat'],
        currentDate: new Date(clock.now()),
      }),
    )
    return appOnly(payload)
  }
}

/** Only machine credentials: a token that stands for a signed-in user carries `scp`, or an `idtyp` other than app. */
function appOnly(payload: JWTPayload): VerifiedToken {
  if (payload['scp'] !== undefined) throw invalid('it carries scp: a user token')
  if (payload['idtyp'] !== undefined && payload['idtyp'] !== 'app') throw invalid('its idtyp is not app')
  const clientId = payload['azp'] ?? payload['appid'] ?? payload['client_id']
  if (typeof clientId !== 'string') throw invalid('it names no client')
  if (payload.exp === undefined || payload.iat === undefined) throw invalid('it has no times')
  return { clientId: clientId.toLowerCase(), issuedAt: payload.iat, expiresAt: payload.exp }
}
