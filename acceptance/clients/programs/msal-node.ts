import { ConfidentialClientApplication } from '@azure/msal-node'
import { authUrl, clientId, clientSecret, scope, ways } from './settings.ts'

const app = new ConfidentialClientApplication({
  auth: { clientId, clientSecret, authority: authUrl, knownAuthorities: [new URL(authUrl).host] },
})

const times = ways.includes('twice') ? 2 : 1
for (let call = 0; call < times; call++) {
  const result = await app.acquireTokenByClientCredential({ scopes: [scope] })
  console.log(result?.accessToken)
}
