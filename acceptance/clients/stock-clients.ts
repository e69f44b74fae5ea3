import { type TestTool, testTools } from '../support/servers/test-tools.ts'

/** A library as it is published, and one way of using it. */
export interface StockClient {
  name: string
  /** A file in `programs/`. */
  program: string
  ways: readonly string[]
  /** The library refuses to send a secret over plain http. */
  httpsOnly?: true
  /** What has to be installed beside npm packages. */
  tool?: TestTool
  /** What the library says when the secret is wrong. */
  wrongSecret: readonly RegExp[]
}

const issuerError = [/invalid_client/, /7000215/]

/**
 * An answer with a WWW-Authenticate header, which RFC 6749 section 5.2 asks for after an Authorization header, makes
 * these libraries report the challenge in place of the body.
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

/** Libraries that start from the issuer's address: by OpenID Connect or RFC 8414 discovery, with either method. */
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
