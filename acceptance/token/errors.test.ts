import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { assertIssuerError, issuerErrors } from '../support/oracles/issuer-error.ts'
import { addPartner, addSecret, changePartner, type NewPartner } from '../support/clients/operator.ts'
import { goodParameters, operatorToken, requestToken, without } from '../support/clients/requests.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const { portico } = await shareDemo()

const { CLIENT_ID, CLIENT_SECRET } = portico.demoEnv
const good = goodParameters(CLIENT_ID, CLIENT_SECRET)

let operator: string
let partner: NewPartner
before(async () => {
  operator = await operatorToken(portico)
  partner = await addPartner(portico, operator)
})

describe('400 invalid_request', () => {
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    test(`${method} instead of POST answers 900561`, async () => {
      const answer = await requestToken(portico, undefined, { method })
      assertIssuerError(answer, issuerErrors.notPost)
    })
  }

  test('HEAD instead of POST answers 400', async () => {
    assert.equal((await requestToken(portico, undefined, { method: 'HEAD' })).status, 400)
  })

  for (const name of ['grant_type', 'client_id', 'scope']) {
    test(`a missing ${name} answers 900144 naming it`, async () => {
      const body = assertIssuerError(
        await requestToken(portico, without(good, name)),
        issuerErrors.missingParameter,
      )
      assert.ok(String(body['error_description']).includes(name), String(body['error_description']))
    })

    test(`an empty ${name} answers 900144 naming it`, async () => {
      const answer = await requestToken(portico, { ...good, [name]: '' })
      const body = assertIssuerError(answer, issuerErrors.missingParameter)
      assert.ok(String(body['error_description']).includes(name), String(body['error_description']))
    })
  }

  for (const name of Object.keys(good)) {
    test(`a repeated ${name} answers 9002313, even if both values are the same`, async () => {
      for (const value of [good[name] ?? '', 'other']) {
        const answer = await requestToken(portico, [...Object.entries(good), [name, value]])
        assertIssuerError(answer, issuerErrors.unusable)
      }
    })
  }
})

describe('400 unsupported_grant_type', () => {
  for (const grant of ['password', 'authorization_code', 'refresh_token', 'CLIENT_CREDENTIALS', 'x']) {
    test(`grant_type=${grant} answers 70003 without error_uri`, async () => {
      const answer = await requestToken(portico, { ...good, grant_type: grant })
      const body = assertIssuerError(answer, issuerErrors.unsupportedGrant)
      assert.ok(!('error_uri' in body))
    })
  }

  test('a user token for exchange (on behalf of a user) is not accepted', async () => {
    const answer = await requestToken(portico, {
      ...good,
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: 'eyJhbGciOiJub25lIn0.e30.',
      requested_token_use: 'on_behalf_of',
    })
    assertIssuerError(answer, issuerErrors.unsupportedGrant)
  })
})

describe('400 unauthorized_client', () => {
  for (const [name, clientId] of [
    ['a well-formed but unknown client_id', randomUUID()],
    ['a client_id that is not a UUID', 'nobody'],
    ['a client_id with text around the right one', ` ${CLIENT_ID}`],
  ] as const) {
    test(`${name} answers 700016`, async () => {
      const answer = await requestToken(portico, { ...good, client_id: clientId })
      assertIssuerError(answer, issuerErrors.unknownClient)
    })
  }

  test('a disabled client answers 7000112 even with the right secret', async () => {
    const disabled = await addPartner(portico, operator)
    await changePartner(portico, operator, disabled.partnerUuid, { enabled: false })
    const answer = await requestToken(portico, goodParameters(disabled.clientId, disabled.clientSecret))
    assertIssuerError(answer, issuerErrors.disabledClient)
  })
})

describe('401 invalid_client', () => {
  test('a missing or empty client_secret answers 7000216', async () => {
    assertIssuerError(await requestToken(portico, without(good, 'client_secret')), issuerErrors.noSecret)
    assertIssuerError(await requestToken(portico, { ...good, client_secret: '' }), issuerErrors.noSecret)
  })

  test('a wrong secret answers 7000215', async () => {
    const answer = await requestToken(portico, { ...good, client_secret: 'wrong' })
    assertIssuerError(answer, issuerErrors.wrongSecret)
  })

  test('the id of a secret instead of its value answers 7000215', async () => {
    const answer = await requestToken(portico, goodParameters(partner.clientId, partner.secretId))
    assertIssuerError(answer, issuerErrors.wrongSecret)
  })

  test('a secret that is almost right answers 7000215', async () => {
    const near = [
      CLIENT_SECRET.slice(0, -1),
      `${CLIENT_SECRET}A`,
      ` ${CLIENT_SECRET}`,
      CLIENT_SECRET.toLowerCase(),
      partner.clientSecret,
    ]
    for (const secret of near.filter((text) => text !== CLIENT_SECRET)) {
      const answer = await requestToken(portico, { ...good, client_secret: secret })
      assertIssuerError(answer, issuerErrors.wrongSecret)
    }
  })

  test('an expired secret answers 7000222', async () => {
    const expired = await addSecret(portico, operator, partner.partnerUuid, { expiresInDays: 0 })
    const answer = await requestToken(portico, goodParameters(partner.clientId, expired.clientSecret))
    assertIssuerError(answer, issuerErrors.expiredSecret)
  })
})

test('credentials in the query string are ignored: they belong in the body', async () => {
  const query = { client_secret: CLIENT_SECRET }
  const noSecret = await requestToken(portico, without(good, 'client_secret'), { query })
  assertIssuerError(noSecret, issuerErrors.noSecret)
  const empty = await requestToken(portico, undefined, { query: good })
  assertIssuerError(empty, issuerErrors.missingParameter)
})
