import { ClientSecretCredential } from '@azure/identity'
import { authUrl, clientId, clientSecret, scope, ways } from './settings.ts'

const { origin, pathname } = new URL(authUrl)
const credential = new ClientSecretCredential(pathname.slice(1), clientId, clientSecret, {
  authorityHost: origin,
  disableInstanceDiscovery: true,
})

const times = ways.includes('twice') ? 2 : 1
for (let call = 0; call < times; call++) {
  const { token } = await credential.getToken(scope)
  console.log(token)
}
