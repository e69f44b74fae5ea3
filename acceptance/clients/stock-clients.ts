import { type TestTool, testTools } from '../support/servers/test-tools.ts'

/** A published library and one way to call it. */
export interface StockClient {
  name: string
  /** A file in `programs/`. */
  program: string
  ways: readonly string[]
  /** The library does not send a secret over plain HTTP. */
  httpsOnly?: true
  /** Tools required besides npm packages. */
  tool?: TestTool
  /** The library's error when the secret is wrong. */
  wrongSecret: readonly RegExp[]
}

const issuerError = [/invalid_client/, /7000215/]

/**
 * RFC 6749 section 5.2 requires a WWW-Authenticate header in the response to a failed Authorization header. These
 * libraries then report the challenge instead of the body.
 */
const challenge = [/OAUTH_WWW_AUTHENTICATE_CHALLENGE/, /scheme: 'basic'/, /status: 401/]

const { curl, go, python } = testTools

export const stockClients: readonly StockClient[] = [
  {
    name: 'MSAL for Node',
    program: 'msal-node.ts',
    ways: [],
    httpsOnly: true,
    wrongSecret: issuerError,
  },
  {
    name: 'Azure Identity',
    program: 'azure-identity.ts',
    ways: [],
    httpsOnly: true,
    wrongSecret: issuerError,
  },
  ...discoveringClient('openid-client'),
  ...discoveringClient('oauth4webapi'),
  {
    name: 'simple-oauth2, header',
    program: 'simple-oauth2.ts',
    ways: ['header'],
    wrongSecret: issuerError,
  },
  {
    name: 'simple-oauth2, body',
    program: 'simple-oauth2.ts',
    ways: ['body'],
    wrongSecret: issuerError,
  },
  ...['default', 'basic', 'post', 'discovery'].map((way) => ({
    name: `@badgateway/oauth2-client, ${way}`,
    program: 'badgateway-oauth2-client.ts',
    ways: [way],
    wrongSecret: issuerError,
  })),
  { name: 'client-oauth2', program: 'client-oauth2.ts', ways: [], wrongSecret: issuerError },
  {
    name: 'Python MSAL',
    program: 'python-msal.py',
    ways: [],
    httpsOnly: true,
    tool: python,
    wrongSecret: issuerError,
  },
  ...['basic', 'basic-and-client-id', 'body'].map((way) => ({
    name: `Python requests-oauthlib, ${way}`,
    program: 'requests-oauthlib.py',
    ways: [way],
    tool: python,
    wrongSecret: issuerError,
  })),
  ...['auto', 'params', 'header'].map((way) => ({
    name: `Go clientcredentials, ${way}`,
    program: 'go-clientcredentials.go',
    ways: [way],
    tool: go,
    wrongSecret: issuerError,
  })),
  ...['form', 'basic'].map((way) => ({
    name: `curl, ${way}`,
    program: 'curl.ts',
    ways: [way],
    tool: curl,
    wrongSecret: issuerError,
  })),
]

/** Libraries that start from the issuer's address: OpenID Connect or RFC 8414 discovery, with either method. */
function discoveringClient(library: string): StockClient[] {
  const algorithms = { oidc: 'OpenID Connect discovery', oauth2: 'RFC 8414 discovery' }
  return Object.entries(algorithms).flatMap(([algorithm, label]) => [
    {
      name: `${library}, ${label}, post`,
      program: `${library}.ts`,
      ways: [algorithm, 'post'],
      wrongSecret: issuerError,
    },
    {
      name: `${library}, ${label}, basic`,
      program: `${library}.ts`,
      ways: [algorithm, 'basic'],
      wrongSecret: challenge,
    },
  ])
}
