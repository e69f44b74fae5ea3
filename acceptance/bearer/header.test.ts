import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertNoCors, assertUnauthorized } from '../support/oracles/problem.ts'
import { sendRequest } from '../support/clients/raw-http.ts'
import { api, basic, demoToken } from '../support/clients/requests.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const { portico } = await shareDemo()

const { CLIENT_ID, CLIENT_SECRET } = portico.demoEnv
const token = await demoToken(portico)

describe('an Authorization header that carries no usable token answers 401', () => {
  const headers: Record<string, string> = {
    'the scheme alone': 'Bearer',
    'HTTP Basic': basic(CLIENT_ID, CLIENT_SECRET),
    'no scheme': token,
    'another scheme': `DPoP ${token}`,
    'two tokens': `Bearer ${token} ${token}`,
    'a comma list': `Bearer ${token}, Bearer ${token}`,
    'quotes around the token': `Bearer "${token}"`,
    'the secret': `Bearer ${CLIENT_SECRET}`,
    'an empty JWT': 'Bearer ..',
    '12 kB': `Bearer ${'x'.repeat(12_000)}`,
  }
  for (const [name, authorization] of Object.entries(headers)) {
    test(name, async () => {
      const answer = await api(portico, '/v2/sites', { headers: { authorization } })
      assert.equal(answer.status, 401, answer.text)
      assert.match(String(answer.json['title']), /^Token(NotPresent|Invalid)$/)
      assertUnauthorized(portico, answer, String(answer.json['title']))
    })
  }
})

test('a bearer token that is not a JWT is TokenInvalid', async () => {
  for (const text of ['x', 'x.y.z', token.slice(0, -10)]) {
    assertUnauthorized(portico, await api(portico, '/v2/sites', { token: text }), 'TokenInvalid')
  }
})

test('a token is read from the Authorization header only', async () => {
  const inQuery = await api(portico, `/v2/sites?access_token=${token}`)
  assertUnauthorized(portico, inQuery, 'TokenNotPresent')
  const headers = { cookie: `access_token=${token}`, 'x-access-token': token }
  assertUnauthorized(portico, await api(portico, '/v2/sites', { headers }), 'TokenNotPresent')
})

describe('repeated Authorization headers are rejected, even if one of them is valid', () => {
  const right = `Bearer ${token}`
  for (const [name, pair] of [
    ['right and wrong', [right, 'Bearer x']],
    ['wrong and right', ['Bearer x', right]],
    ['the right one twice', [right, right]],
    ['right and Basic', [right, basic(CLIENT_ID, CLIENT_SECRET)]],
  ] as const) {
    test(name, async () => {
      const answer = await sendRequest(portico, {
        path: '/v2/sites',
        headers: pair.map((value): [string, string] => ['Authorization', value]),
      })
      assert.ok(answer.status === 400 || answer.status === 401, `${answer.status} ${answer.body}`)
    })
  }
})

test('the 401 of the API has no CORS headers, with or without a preflight', async () => {
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'GET' }
  for (const method of ['GET', 'OPTIONS']) {
    assertNoCors((await api(portico, '/v2/sites', { method, headers })).headers)
  }
})

test('the text of a 401 contains no part of the token', async () => {
  const answer = await api(portico, '/v2/sites', { token: 'zq7marker.zq7marker.zq7marker' })
  assertUnauthorized(portico, answer, 'TokenInvalid')
  assert.doesNotMatch(answer.text, /zq7marker/)
  for (const value of answer.headers.values()) assert.doesNotMatch(value, /zq7marker/)
})
