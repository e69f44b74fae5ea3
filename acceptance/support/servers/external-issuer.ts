import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import { Provider } from 'oidc-provider'
import { findFreePort } from './free-port.ts'
import { asString } from '../json.ts'
import { basic, send } from '../clients/requests.ts'

export type Algorithm = 'ES256' | 'RS256'

/** A token issuer other than Portico, with accessible private keys for forging tokens it would never issue. */
export interface ExternalIssuer {
  issuer: string
  jwksUri: string
  audience: string
  keys: Record<Algorithm, SigningKey>
  /** A token that the issuer grants to its client. */
  issueToken: () => Promise<string>
  /** A token signed with one of the issuer's keys, with these claims and header fields instead of the usual ones. */
  signToken: (claims: JWTPayload, options?: { algorithm?: Algorithm; header?: object }) => Promise<string>
  [Symbol.asyncDispose]: () => Promise<void>
}

export interface SigningKey {
  kid: string
  privateKey: CryptoKey
  publicKey: CryptoKey
}

export async function startExternalIssuer(clientId: string): Promise<ExternalIssuer> {
  const port = await findFreePort()
  const issuer = `http://localhost:${port}`
  const audience = 'api://portico'
  const keys = { ES256: await makeKey('ES256'), RS256: await makeKey('RS256') }
  const clientSecret = randomBytes(32).toString('base64url')

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
    ],
    jwks: { keys: [await toPrivateJwk('ES256', keys.ES256), await toPrivateJwk('RS256', keys.RS256)] },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        getResourceServerInfo: () => ({
          scope: '',
          audience,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
    ttl: { ClientCredentials: 600 },
  })
  const server = createServer(provider.callback()).listen(port, '127.0.0.1')
  await once(server, 'listening')

  return {
    issuer,
    jwksUri: `${issuer}/jwks`,
    audience,
    keys,
    issueToken: async () => {
      const answer = await send(`${issuer}/token`, {
        method: 'POST',
        headers: { authorization: basic(clientId, clientSecret) },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      })
      return asString(answer.json['access_token'])
    },
    signToken: (claims, { algorithm = 'ES256', header = {} } = {}) => {
      const { kid, privateKey } = keys[algorithm]
      const usualClaims = { iss: issuer, aud: audience, sub: clientId, azp: clientId, ...usualTimes() }
      return new SignJWT({ ...usualClaims, ...claims })
        .setProtectedHeader({ alg: algorithm, typ: 'at+jwt', kid, ...header })
        .sign(privateKey)
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export function usualTimes(): { iat: number; nbf: number; exp: number } {
  const now = Math.floor(Date.now() / 1000)
  return { iat: now, nbf: now, exp: now + 600 }
}

async function makeKey(algorithm: Algorithm): Promise<SigningKey> {
  const pair = await generateKeyPair(algorithm, { extractable: true })
  return { kid: `outside-${algorithm}`, ...pair }
}

async function toPrivateJwk(algorithm: Algorithm, { kid, privateKey }: SigningKey): Promise<JWK> {
  return { ...(await exportJWK(privateKey)), kid, alg: algorithm, use: 'sig' }
}
