/** The package ships no types; this is the part the suite uses. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'
  import type { JWK } from 'jose'

  export class Provider {
    constructor(
      issuer: string,
      configuration: {
        clients: {
          client_id: string
          client_secret: string
          grant_types: string[]
          redirect_uris: string[]
          response_types: string[]
          token_endpoint_auth_method?: string
          id_token_signed_response_alg?: string
        }[]
        jwks: { keys: JWK[] }
        features: {
          clientCredentials: { enabled: boolean }
          devInteractions: { enabled: boolean }
          resourceIndicators: {
            enabled: boolean
            defaultResource: () => string
            getResourceServerInfo: () => {
              scope: string
              audience: string
              accessTokenFormat: 'jwt'
              jwt: { sign: { alg: string } }
            }
          }
        }
        ttl: { ClientCredentials: number }
      },
    )
    callback(): RequestListener
  }
}
