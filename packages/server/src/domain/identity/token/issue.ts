import { sign } from 'node:crypto'
import { toSeconds } from '../../../kernel/clock.ts'
import { newUuid } from '../../../kernel/ids.ts'
import { toAudience, type Partner } from '../partner/partner.ts'
import type { SigningPair } from './key-ring.ts'
import { CONSOLE_USE, TOKEN_LIFETIME_SECONDS } from './token.ts'

/** Clock skew between machines: a token is valid from this long before it was issued. */
const NOT_BEFORE_MARGIN_SECONDS = 5

const base64url = (text: string): string => Buffer.from(text).toString('base64url')

export interface TokenSubject extends Pick<Partner, 'clientId' | 'roles' | 'tokensNotBefore'> {}

/** Issuer, tenant and client of a token. */
interface Subject {
  issuer: string
  tenant: string
  client: TokenSubject
}

/** The console session that a token is for. It is valid no longer than the session. */
interface ForConsole {
  sessionId: string
  lifetimeSeconds: number
}

/** An access token according to RFC 9068, with the additional claims of Microsoft's issuer. */
export function issueToken(
  input: Subject & { key: SigningPair; now: number; forConsole?: ForConsole },
): string {
  const { key, client, forConsole } = input
  const now = toSeconds(input.now)
  // For a client that was just disabled and enabled again, tokens count as issued after `tokensNotBefore`.
  const issuedAt = Math.max(now, client.tokensNotBefore)
  const ownClaims = {
    iat: issuedAt,
    nbf: now - NOT_BEFORE_MARGIN_SECONDS,
    exp: issuedAt + (forConsole?.lifetimeSeconds ?? TOKEN_LIFETIME_SECONDS),
    jti: newUuid(),
    ...(forConsole && { use: CONSOLE_USE, sid: forConsole.sessionId }),
  }
  const claims = `${getSharedClaims(input).slice(0, -1)},${JSON.stringify(ownClaims).slice(1)}`
  const signingInput = `${getHeader(key)}.${base64url(claims)}`
  const signature = sign('sha256', Buffer.from(signingInput), {
    key: key.privateKey,
    dsaEncoding: 'ieee-p1363',
  })
  return `${signingInput}.${signature.toString('base64url')}`
}

const sharedClaims = new WeakMap<TokenSubject, Subject & { text: string }>()

/** The claims that all tokens of a client share, as JSON; cached until the client is loaded again. */
function getSharedClaims({ issuer, tenant, client }: Subject): string {
  const cached = sharedClaims.get(client)
  if (cached?.issuer === issuer && cached.tenant === tenant) return cached.text
  const text = JSON.stringify({
    iss: issuer,
    aud: toAudience(client.clientId),
    sub: client.clientId,
    azp: client.clientId,
    client_id: client.clientId,
    tid: tenant,
    roles: client.roles,
    idtyp: 'app',
    ver: '2.0',
  })
  sharedClaims.set(client, { issuer, tenant, client, text })
  return text
}

const headers = new WeakMap<SigningPair, string>()

const getHeader = (key: SigningPair): string => {
  const cached = headers.get(key)
  if (cached) return cached
  const header = base64url(JSON.stringify({ typ: 'at+jwt', alg: key.algorithm, kid: key.kid }))
  headers.set(key, header)
  return header
}
