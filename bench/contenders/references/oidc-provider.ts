import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'

/** npm's certified OpenID Connect provider, with one client that gets ES256-signed JWTs for its credentials. */
const [port = '', clientId = '', secret = ''] = process.argv.slice(2)
const issuer = `http://127.0.0.1:${port}`
const resource = 'https://api.example'
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: clientId,
      client_secret: secret,
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      token_endpoint_auth_method: 'client_secret_post',
      id_token_signed_response_alg: 'ES256',
    },
  ],
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: '1' }] },
  ttl: { ClientCredentials: 3600 },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      getResourceServerInfo: () => ({
        scope: '',
        audience: resource,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  },
})

createServer(provider.callback()).listen(Number(port), '127.0.0.1')
