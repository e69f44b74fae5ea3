import * as client from 'openid-client'
import { clientId, clientSecret, issuer, scope, ways } from './settings.ts'

const authentication = ways.includes('basic')
  ? client.ClientSecretBasic(clientSecret)
  : client.ClientSecretPost(clientSecret)

const config = await client.discovery(issuer, clientId, undefined, authentication, {
  algorithm: ways.includes('oauth2') ? 'oauth2' : 'oidc',
  execute: issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [],
})
const tokens = await client.clientCredentialsGrant(config, { scope })
console.log(tokens.access_token)
