import ClientOAuth2 from 'client-oauth2'
import { clientId, clientSecret, scope, tokenUrl } from './settings.ts'

const client = new ClientOAuth2({ clientId, clientSecret, accessTokenUri: tokenUrl, scopes: [scope] })
const { accessToken } = await client.credentials.getToken()
console.log(accessToken)
