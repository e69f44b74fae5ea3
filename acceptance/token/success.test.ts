import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asInteger, asString, asUuid } from '../support/json.ts'
import { assertNoCors } from '../support/oracles/problem.ts'
import { goodParameters, requestToken, send } from '../support/clients/requests.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const { portico } = await shareDemo()

const { CLIENT_ID, CLIENT_SECRET } = portico.demoEnv
const good = goodParameters(CLIENT_ID, CLIENT_SECRET)

test('POST {auth_url}/oauth2/v2.0/token answers 200 at the address handed out at onboarding', async () => {
  const answer = await send(`${portico.demoEnv.AUTH_URL}/oauth2/v2.0/token`, {
    method: 'POST',
    body: new URLSearchParams(good),
  })
  assert.equal(answer.status, 200, answer.text)
})

test('a success body has exactly the four fields of the specification', async () => {
  const answer = await requestToken(portico, good)
  assert.equal(answer.status, 200, answer.text)
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json\b/)
  const body = answer.json
  assert.deepEqual(Object.keys(body).toSorted(), [
    'access_token',
    'expires_in',
    'ext_expires_in',
    'token_type',
  ])
  assert.equal(body['token_type'], 'Bearer')
  assert.equal(body['expires_in'], 3599)
  assert.ok(asInteger(body['ext_expires_in']) >= 3599)
  // The characters a bearer token may have in a header (RFC 6750, section 2.1).
  assert.match(asString(body['access_token']), /^[A-Za-z0-9\-._~+/]+=*$/)
})

test('no refresh token is returned, even if the caller requests one', async () => {
  const answer = await requestToken(portico, { ...good, access_type: 'offline', prompt: 'consent' })
  assert.equal(answer.status, 200, answer.text)
  assert.doesNotMatch(answer.text, /refresh/i)
})

test('a token response must not be cached', async () => {
  const { headers } = await requestToken(portico, good)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('pragma'), 'no-cache')
})

test('every token response has a unique X-Request-Id', async () => {
  const first = await requestToken(portico, good)
  const second = await requestToken(portico, good)
  assert.notEqual(asUuid(first.headers.get('x-request-id')), asUuid(second.headers.get('x-request-id')))
})

test('the token endpoint is not for browsers: no CORS headers, with or without a preflight', async () => {
  const origin = { origin: 'https://app.example' }
  const simple = await requestToken(portico, good, { headers: origin })
  assertNoCors(simple.headers)
  const preflight = await requestToken(portico, undefined, {
    method: 'OPTIONS',
    headers: { ...origin, 'access-control-request-method': 'POST' },
  })
  assertNoCors(preflight.headers)
})

test('the response neither redirects nor sets a cookie', async () => {
  const { headers } = await requestToken(portico, good)
  assert.equal(headers.get('location'), null)
  assert.equal(headers.get('set-cookie'), null)
})

test('unknown parameters are ignored, as RFC 6749 requires', async () => {
  const answer = await requestToken(portico, { ...good, 'x-client-SKU': 'msal.js.node', client_info: '1' })
  assert.equal(answer.status, 200, answer.text)
})

test('the content type may have a charset, in any letter case', async () => {
  for (const type of [
    'application/x-www-form-urlencoded; charset=utf-8',
    'application/x-www-form-urlencoded;charset=UTF-8',
    'Application/X-WWW-Form-URLEncoded',
  ]) {
    const answer = await requestToken(portico, good, { headers: { 'content-type': type } })
    assert.equal(answer.status, 200, `${type}: ${answer.text}`)
  }
})

test('the same credentials get a new token with every request', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => requestToken(portico, good)))
  const tokens = new Set(answers.map((answer) => answer.json['access_token']))
  assert.equal(tokens.size, 10)
})
