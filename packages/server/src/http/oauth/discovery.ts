import type { FastifyInstance } from 'fastify'
import { TOKEN_ALGORITHMS } from '../../token/algorithm.ts'
import type { Services } from '../services.ts'
import { TokenError } from './errors.ts'
import { sendTokenError } from './send-error.ts'

const CACHE = 'public, max-age=300'

/**
 * The addresses stock clients ask: MSAL puts `/v2.0` after the authority, OpenID clients append the well-known path
 * to the issuer, RFC 8414 clients put it in front of the issuer's path.
 */
const wellKnownPaths = (tenant: string): string[] =>
  ['openid-configuration', 'oauth-authorization-server'].flatMap((document) =>
    [`/${tenant}/v2.0`, `/${tenant}`].flatMap((path) => [
      `${path}/.well-known/${document}`,
      `/.well-known/${document}${path}`,
    ]),
  )

export async function discovery(app: FastifyInstance, services: Services): Promise<void> {
  const { addresses, tenant, keys } = services
  const { authUrl, issuer, publicUrl } = addresses
  const document = JSON.stringify({
    issuer,
    token_endpoint: `${authUrl}/oauth2/v2.0/token`,
    // MSAL refuses a document without one; it answers an error.
    authorization_endpoint: `${authUrl}/oauth2/v2.0/authorize`,
    jwks_uri: `${authUrl}/discovery/v2.0/keys`,
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    grant_types_supported: ['client_credentials'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...TOKEN_ALGORITHMS],
    scopes_supported: ['openid'],
    claims_supported: ['iss', 'aud', 'sub', 'azp', 'tid', 'roles', 'exp', 'nbf', 'iat', 'jti', 'ver'],
    service_documentation: publicUrl,
  })

  for (const path of wellKnownPaths(tenant)) {
    app.get(path, async (_request, reply) => {
      reply.headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': CACHE })
      return document
    })
  }

  app.get(`/${tenant}/discovery/v2.0/keys`, async (_request, reply) => {
    reply.headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': CACHE })
    return JSON.stringify(await keys.published())
  })

  app.get(`/${tenant}/oauth2/v2.0/authorize`, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    return sendTokenError(new TokenError(700054), request, reply, services)
  })
}
