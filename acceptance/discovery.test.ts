import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asArray, asObject, asString, asUuid } from './support/json.ts'
import { sendRequest } from './support/clients/raw-http.ts'
import { api, send } from './support/clients/requests.ts'
import { shareDemo } from './support/servers/shared-demo.ts'

const { portico } = await shareDemo()

const documents = [
  '/auth/v2.0/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server/auth/v2.0',
]

for (const path of documents) {
  describe(`GET ${path}`, () => {
    test('names the issuer, its endpoints and the client authentication methods', async () => {
      const answer = await api(portico, path)
      assert.equal(answer.status, 200, answer.text)
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json\b/)
      asUuid(answer.headers.get('x-request-id'))
      const body = answer.json
      assert.equal(body['issuer'], `${portico.authUrl}/v2.0`)
      assert.equal(body['token_endpoint'], `${portico.authUrl}/oauth2/v2.0/token`)
      assert.equal(body['jwks_uri'], `${portico.authUrl}/discovery/v2.0/keys`)
      const methods = asArray(body['token_endpoint_auth_methods_supported'])
      assert.equal(methods[0], 'client_secret_post')
      assert.ok(methods.includes('client_secret_basic'))
    })

    test('offers no grant except client_credentials', async () => {
      const { json } = await api(portico, path)
      assert.deepEqual(json['grant_types_supported'], ['client_credentials'])
    })

    test('never uses an address from the request', async () => {
      for (const headers of hostileHeaders()) {
        const answer = await sendRequest(portico, { path, headers })
        if (answer.status !== 200) assert.equal(answer.status, 400, answer.body)
        else assert.ok(answer.body.includes(`"${portico.authUrl}/v2.0"`), answer.body)
        assert.ok(!answer.body.includes('evil.example'), answer.body)
      }
    })
  })
}

test('both documents agree', async () => {
  const [openid, oauth] = await Promise.all(documents.map(async (path) => (await api(portico, path)).json))
  for (const name of ['issuer', 'token_endpoint', 'jwks_uri', 'token_endpoint_auth_methods_supported']) {
    assert.deepEqual(openid?.[name], oauth?.[name], name)
  }
})

test('the authorization endpoint is 4xx: there is no sign-in', async () => {
  const { json } = await api(portico, documents[0] ?? '')
  const address = new URL(asString(json['authorization_endpoint']))
  assert.equal(address.origin, portico.url)
  address.search = String(
    new URLSearchParams({
      response_type: 'code',
      client_id: portico.demoEnv.CLIENT_ID,
      redirect_uri: 'https://evil.example/callback',
      state: 'zq7marker',
    }),
  )
  for (const method of ['GET', 'POST']) {
    const answer = await send(address.href, { method })
    assert.ok(answer.status >= 400 && answer.status < 500, `${method} answered ${answer.status}`)
    assert.equal(answer.headers.get('location'), null)
    assert.doesNotMatch(answer.text, /evil\.example|zq7marker/)
  }
})

describe('the key set', () => {
  test('contains public signing keys and nothing private', async () => {
    const answer = await api(portico, '/auth/discovery/v2.0/keys')
    assert.equal(answer.status, 200, answer.text)
    const keys = asArray(answer.json['keys']).map(asObject)
    assert.ok(keys.length > 0)
    for (const key of keys) {
      assert.notEqual(asString(key['kid']), '')
      assert.equal(key['kty'], 'EC')
      assert.equal(key['crv'], 'P-256')
      assert.equal(key['use'], 'sig')
      for (const name of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth']) assert.ok(!(name in key), name)
    }
  })

  test('gives every key a unique id', async () => {
    const { json } = await api(portico, '/auth/discovery/v2.0/keys')
    const ids = asArray(json['keys']).map((key) => asObject(key)['kid'])
    assert.equal(new Set(ids).size, ids.length)
  })
})

test('links in errors use the configured address, never the Host header', async () => {
  for (const headers of hostileHeaders()) {
    const token = await sendRequest(portico, { method: 'POST', path: '/auth/oauth2/v2.0/token', headers })
    assert.ok(token.status >= 400 && token.status < 500)
    assert.ok(!token.body.includes('evil.example'), token.body)
    const problem = await sendRequest(portico, { path: '/v2/sites', headers })
    assert.ok(problem.status >= 400 && problem.status < 500)
    assert.ok(!problem.body.includes('evil.example'), problem.body)
    for (const [name, value] of [...token.headers, ...problem.headers]) {
      assert.ok(!value.includes('evil.example'), `${name}: ${value}`)
    }
  }
})

test('a tenant other than the configured one is unknown', async () => {
  for (const path of ['/common/v2.0/.well-known/openid-configuration', '/other/discovery/v2.0/keys']) {
    assert.equal((await api(portico, path)).status, 404)
  }
})

function hostileHeaders(): [string, string][][] {
  const host: [string, string] = ['Host', `localhost:${portico.port}`]
  return [
    [['Host', 'evil.example']],
    [['Host', 'evil.example:443']],
    [host, ['X-Forwarded-Host', 'evil.example'], ['X-Forwarded-Proto', 'https']],
    [host, ['Forwarded', 'host=evil.example;proto=https']],
    [host, ['X-Original-Host', 'evil.example']],
  ]
}
