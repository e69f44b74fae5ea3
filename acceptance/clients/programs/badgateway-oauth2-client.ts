import { OAuth2Client } from '@badgateway/oauth2-client'
import { clientId, clientSecret, issuer, scope, tokenUrl, ways } from './settings.ts'

type Settings = Partial<ConstructorParameters<typeof OAuth2Client>[0]>

const endpoint: Settings = ways.includes('discovery')
  ? { discoveryEndpoint: `${issuer.href}/.well-known/openid-configuration` }
  : { tokenEndpoint: tokenUrl }
const authentication: Settings = ways.includes('basic')
  ? { authenticationMethod: 'client_secret_basic' }
  : ways.includes('post')
    ? { authenticationMethod: 'client_secret_post' }
    : {}

const client = new OAuth2Client({ clientId, clientSecret, ...endpoint, ...authentication })
const { accessToken } = await client.clientCredentials({ scope: [scope] })
console.log(accessToken)
