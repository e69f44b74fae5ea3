import { sign } from 'node:crypto'
import { toSeconds } from '../../../kernel/clock.ts'
import { newUuid } from '../../../kernel/ids.ts'
import { toAudience, type Partner } from '../partner/partner.ts'
import type { SigningPair } from './key-ring.ts'
import { TOKEN_LIFETIME_SECONDS } from './token.ts'

/** Clocks of several machines differ a little: a token is good a moment before it was made. */
const NOT_BEFORE_MARGIN_SECONDS = 5

const base64url = (text: string): string => Buffer.from(text).toString('base64url')

export interface TokenSubject extends Pick<Partner, 'clientId' | 'roles' | 'tokensNotBefore'> {}

/** Who says what of whom. */
interface Subject {
  issuer: string
  tenant: string
  client: TokenSubject
}

/** An access token as RFC 9068 describes it, with the claims that Microsoft's issuer adds. */
export function issueToken(input: Subject & { key: SigningPair; now: number }): string {
  const { key, client } = input
  const now = toSeconds(input.now)
  // A client that was just disabled and enabled again gets tokens that count as issued after the cut.
  const issuedAt = Math.max(now, client.tokensNotBefore)
  const ownClaims = {
    iat: issuedAt,
    nbf: now - NOT_BEFORE_MARGIN_SECONDS,
    exp: issuedAt + TOKEN_LIFETIME_SECONDS,
    jti: newUuid(),
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

/** What all tokens of a client say, as JSON: written once for each time that the client is read. */
function getSharedClaims({ issuer, tenant, client }: Subject): string {
  const known = sharedClaims.get(client)
  if (known?.issuer === issuer && known.tenant === tenant) return known.text
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
  const known = headers.get(key)
  if (known) return known
  const header = base64url(JSON.stringify({ typ: 'at+jwt', alg: key.algorithm, kid: key.kid }))
  headers.set(key, header)
  return header
}
