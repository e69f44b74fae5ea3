import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import { asInteger, asString } from '../support/json.ts'
import { partnerRoles } from '../support/clients/operator.ts'
import { demoToken, operatorToken } from '../support/clients/requests.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const { portico } = await shareDemo()

const { CLIENT_ID, OPERATOR_CLIENT_ID } = portico.demoEnv
const keySet = createRemoteJWKSet(new URL(`${portico.authUrl}/discovery/v2.0/keys`))

test('a token verifies with the published key set, issuer and audience', async () => {
  const token = await demoToken(portico)
  await jwtVerify(token, keySet, {
    algorithms: ['ES256'],
    typ: 'at+jwt',
    issuer: `${portico.authUrl}/v2.0`,
    audience: `api://${CLIENT_ID}`,
    requiredClaims: ['azp', 'tid', 'roles', 'sub', 'exp', 'nbf', 'iat', 'jti', 'ver'],
  })
})

test('the header has the algorithm, the type and the key id, and no other field that affects verification', async () => {
  const header = decodeProtectedHeader(await demoToken(portico))
  assert.equal(header.alg, 'ES256')
  assert.equal(header.typ, 'at+jwt')
  assert.notEqual(asString(header.kid), '')
  for (const name of ['jwk', 'jku', 'x5u', 'x5c', 'crit']) assert.ok(!(name in header), name)
})

test('the claims name the issuer, the client and its resource', async () => {
  const claims = decodeJwt(await demoToken(portico))
  assert.equal(claims.iss, `${portico.authUrl}/v2.0`)
  assert.equal(claims.aud, `api://${CLIENT_ID}`)
  assert.equal(claims['azp'], CLIENT_ID)
  assert.notEqual(asString(claims['tid']), '')
  assert.notEqual(asString(claims.sub), '')
  assert.notEqual(asString(claims['ver']), '')
})

test('a token is valid from its issue on, for about 60 minutes', async () => {
  const claims = decodeJwt(await demoToken(portico))
  const issuedAt = asInteger(claims.iat)
  const lifetimeSeconds = asInteger(claims.exp) - issuedAt
  assert.ok(lifetimeSeconds >= 3599 && lifetimeSeconds <= 3660, `lives ${lifetimeSeconds} s`)
  assert.ok(asInteger(claims.nbf) <= issuedAt)
})

test('the roles claim contains the roles of the client, and no other', async () => {
  const partner = decodeJwt(await demoToken(portico))
  assert.deepEqual((partner['roles'] as string[]).toSorted(), partnerRoles.toSorted())
  const operator = decodeJwt(await operatorToken(portico))
  assert.deepEqual(operator['roles'], ['Operator'])
  assert.equal(operator['azp'], OPERATOR_CLIENT_ID)
})

test('tokens belong to an application, never to a user', async () => {
  const claims = decodeJwt(await demoToken(portico))
  assert.ok(!('scp' in claims))
  if ('idtyp' in claims) assert.equal(claims['idtyp'], 'app')
})

test('two tokens never share a jti, and clients never share a subject', async () => {
  const tokens = await Promise.all(Array.from({ length: 20 }, () => demoToken(portico)))
  const ids = new Set(tokens.map((token) => asString(decodeJwt(token).jti)))
  assert.equal(ids.size, tokens.length)
  assert.notEqual(decodeJwt(tokens[0] ?? '').sub, decodeJwt(await operatorToken(portico)).sub)
})
