import { TOKEN_ALGORITHMS } from '../../domain/identity/token/token.ts'
import { ready } from '../pipeline/gates.ts'
import { JSON_TYPE, type Reply } from '../pipeline/reply.ts'
import { definePage, type RunnableRoute } from '../pipeline/route.ts'
import type { Services } from '../services.ts'
import { TokenError } from './errors.ts'
import { renderTokenError, type TokenErrorServices } from './render-error.ts'

/**
 * Paths that common clients request: MSAL appends `/v2.0` to the authority, OpenID clients append the well-known path
 * to the issuer, and RFC 8414 clients insert it before the issuer's path.
 */
const wellKnownPaths = (tenant: string): string[] =>
  ['openid-configuration', 'oauth-authorization-server'].flatMap((document) =>
    [`/${tenant}/v2.0`, `/${tenant}`].flatMap((path) => [
      `${path}/.well-known/${document}`,
      `/.well-known/${document}${path}`,
    ]),
  )

/** The issuer's metadata documents, and the endpoint for interactive sign-in, which always returns an error. */
export function createDiscoveryRoutes(
  services: TokenErrorServices & Pick<Services, 'tenant'>,
): RunnableRoute[] {
  const { addresses, tenant } = services
  const { authUrl, issuer, publicUrl } = addresses
  const document = JSON.stringify({
    issuer,
    token_endpoint: `${authUrl}/oauth2/v2.0/token`,
    // MSAL rejects a document without this field; the endpoint returns an error.
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

  return [
    ...wellKnownPaths(tenant).map((path) => definePage(path, [ready], () => toCacheableJson(document))),
    definePage(`/${tenant}/discovery/v2.0/keys`, [ready], async (_call, { keys }: Pick<Services, 'keys'>) =>
      toCacheableJson(JSON.stringify(await keys.published())),
    ),
    definePage(`/${tenant}/oauth2/v2.0/authorize`, [ready], (call) => {
      const { headers = [], ...reply } = renderTokenError(new TokenError(INTERACTIVE_SIGN_IN), call, services)
      return { ...reply, headers: [...headers, 'cache-control', 'no-store'] }
    }),
  ]
}

/** The error code of a sign-in that the issuer does not offer. */
const INTERACTIVE_SIGN_IN = 700054

const toCacheableJson = (body: string): Reply => ({
  status: 200,
  type: JSON_TYPE,
  headers: ['cache-control', 'public, max-age=300'],
  body,
})
