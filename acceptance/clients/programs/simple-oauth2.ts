import { ClientCredentials } from 'simple-oauth2'
import { clientId, clientSecret, scope, tokenUrl, ways } from './settings.ts'

const { origin, pathname } = new URL(tokenUrl)
const client = new ClientCredentials({
  client: { id: clientId, secret: clientSecret },
  auth: { tokenHost: origin, tokenPath: pathname },
  options: { authorizationMethod: ways.includes('body') ? 'body' : 'header' },
})
const { token } = await client.getToken({ scope })
console.log(token.access_token)
