import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertIssuerBody, assertIssuerError, issuerErrors } from '../support/oracles/issuer-error.ts'
import { basic, demoToken, goodParameters, requestToken, without } from '../support/clients/requests.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const { portico } = await shareDemo()

const { CLIENT_ID, CLIENT_SECRET } = portico.demoEnv
const good = goodParameters(CLIENT_ID, CLIENT_SECRET)
const bare = without(good, 'client_id', 'client_secret')
const percentEncoded = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

describe('200', () => {
  test('credentials in an HTTP Basic header get the same token response as in the body', async () => {
    const answer = await requestToken(portico, bare, {
      headers: { authorization: basic(CLIENT_ID, CLIENT_SECRET) },
    })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(Object.keys(answer.json).toSorted(), [
      'access_token',
      'expires_in',
      'ext_expires_in',
      'token_type',
    ])
    assert.equal(answer.headers.get('www-authenticate'), null)
  })

  test('the scheme is case-insensitive', async () => {
    const authorization = basic(CLIENT_ID, CLIENT_SECRET).replace('Basic', 'bAsIc')
    const answer = await requestToken(portico, bare, { headers: { authorization } })
    assert.equal(answer.status, 200, answer.text)
  })

  test('id and secret are form-encoded inside the header (RFC 6749, section 2.3.1)', async () => {
    const authorization = basic(percentEncoded(CLIENT_ID), percentEncoded(CLIENT_SECRET))
    const answer = await requestToken(portico, bare, { headers: { authorization } })
    assert.equal(answer.status, 200, answer.text)
  })

  test('the same client_id may be repeated in the body', async () => {
    const answer = await requestToken(portico, without(good, 'client_secret'), {
      headers: { authorization: basic(CLIENT_ID, CLIENT_SECRET) },
    })
    assert.equal(answer.status, 200, answer.text)
  })
})

describe('401', () => {
  test('a wrong secret in the header answers 7000215 and a Basic challenge', async () => {
    const answer = await requestToken(portico, bare, {
      headers: { authorization: basic(CLIENT_ID, 'wrong') },
    })
    assertIssuerError(answer, issuerErrors.wrongSecret)
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Basic\b/)
  })

  test('an empty secret in the header answers 7000216 and a challenge', async () => {
    const answer = await requestToken(portico, bare, { headers: { authorization: basic(CLIENT_ID, '') } })
    assertIssuerError(answer, issuerErrors.noSecret)
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Basic\b/)
  })

  test('a caller without an Authorization header gets no challenge', async () => {
    const wrong = await requestToken(portico, { ...good, client_secret: 'wrong' })
    assertIssuerError(wrong, issuerErrors.wrongSecret)
    assert.equal(wrong.headers.get('www-authenticate'), null)
    const none = await requestToken(portico, without(good, 'client_secret'))
    assertIssuerError(none, issuerErrors.noSecret)
    assert.equal(none.headers.get('www-authenticate'), null)
  })
})

describe('400', () => {
  test('a secret in both the body and the header answers 9002313, even if both are right', async () => {
    const answer = await requestToken(portico, good, {
      headers: { authorization: basic(CLIENT_ID, CLIENT_SECRET) },
    })
    assertIssuerError(answer, issuerErrors.unusable)
  })

  test('a user or application token in a Bearer header is rejected with an error body of the issuer', async () => {
    const token = await demoToken(portico)
    for (const params of [good, bare, undefined]) {
      const answer = await requestToken(portico, params, { headers: { authorization: `Bearer ${token}` } })
      assert.equal(answer.status, 400, answer.text)
      assertIssuerBody(answer)
    }
  })
})

describe('4xx', () => {
  const other = '00000000-0000-4000-8000-000000000000'
  const unusable: Record<string, { authorization: string; params?: Record<string, string> }> = {
    'not base64': { authorization: 'Basic ???' },
    'no colon': { authorization: `Basic ${Buffer.from('nocolon').toString('base64')}` },
    'nothing after the scheme': { authorization: 'Basic' },
    'a broken percent sign': { authorization: basic('%zz', '%') },
    'invalid UTF-8': { authorization: `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString('base64')}` },
    'an unknown scheme': { authorization: 'Negotiate abc' },
    'another client_id in the body': {
      authorization: basic(CLIENT_ID, CLIENT_SECRET),
      params: { ...bare, client_id: other },
    },
  }
  for (const [name, { authorization, params = bare }] of Object.entries(unusable)) {
    test(`an Authorization header with ${name} is rejected with an error body of the issuer`, async () => {
      const answer = await requestToken(portico, params, { headers: { authorization } })
      assert.ok(answer.status === 400 || answer.status === 401, answer.text)
      assertIssuerBody(answer)
    })
  }
})
