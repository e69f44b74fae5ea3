import * as oauth from 'oauth4webapi'
import { clientId, clientSecret, issuer, scope, ways } from './settings.ts'

const algorithm = ways.includes('oauth2') ? 'oauth2' : 'oidc'
const authentication = ways.includes('basic')
  ? oauth.ClientSecretBasic(clientSecret)
  : oauth.ClientSecretPost(clientSecret)
const client: oauth.Client = { client_id: clientId }
const transport = { [oauth.allowInsecureRequests]: issuer.protocol === 'http:' }

const server = await oauth.processDiscoveryResponse(
  issuer,
  await oauth.discoveryRequest(issuer, { algorithm, ...transport }),
)
const response = await oauth.clientCredentialsGrantRequest(
  server,
  client,
  authentication,
  { scope },
  transport,
)
const tokens = await oauth.processClientCredentialsResponse(server, client, response)
console.log(tokens.access_token)
