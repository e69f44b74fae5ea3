import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { exportSPKI, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { eventually } from './support/eventually.ts'
import { findFreePort } from './support/servers/free-port.ts'
import { asInteger } from './support/json.ts'
import { addPartner, changePartner } from './support/clients/operator.ts'
import { type ExternalIssuer, startExternalIssuer, usualTimes } from './support/servers/external-issuer.ts'
import { makeDemoDir, type Portico, removeDataDir, startPortico } from './support/servers/portico.ts'
import { assertProblem, assertUnauthorized } from './support/oracles/problem.ts'
import { api, demoToken, goodParameters, operatorToken, requestToken } from './support/clients/requests.ts'

const clientId = randomUUID()
let outside: ExternalIssuer

before(async () => {
  outside = await startExternalIssuer(clientId)
})
after(() => outside[Symbol.asyncDispose]())

describe('next to the built-in issuer', () => {
  let portico: Portico
  before(async () => {
    portico = await startPortico({ env: trusting(outside) })
    await addOutsidePartner(portico, clientId)
  })
  after(() => portico.stop())

  const refused = async (token: string) =>
    assertUnauthorized(portico, await api(portico, '/v2/sites', { token }), 'TokenInvalid')
  const accepted = async (token: string) => {
    const answer = await api(portico, '/v2/sites', { token })
    assert.equal(answer.status, 200, answer.text)
  }

  test('a token of the external issuer for a known partner is accepted', async () => {
    await accepted(await outside.issueToken())
  })

  test('a token of the built-in issuer is accepted, too', async () => {
    await accepted(await demoToken(portico))
  })

  describe('the partner is identified', () => {
    const nobody = { azp: undefined, appid: undefined, client_id: undefined }
    for (const claim of ['azp', 'appid', 'client_id']) {
      test(`by the claim ${claim}`, async () => {
        await accepted(await outside.signToken({ ...nobody, [claim]: clientId }))
      })
    }

    test('by no other claim', async () => refused(await outside.signToken(nobody)))
  })

  describe('a token of the external issuer is rejected', () => {
    const wrongClaims: Record<string, JWTPayload> = {
      'for a client that is not a partner': { azp: randomUUID() },
      'for another audience': { aud: 'api://somewhere-else' },
      'for no audience': { aud: [] },
      'from another issuer': { iss: 'http://localhost/another' },
      'when it acts for a user': { scp: 'user_impersonation' },
      'when its kind is not an application': { idtyp: 'user' },
      'before it is valid': { nbf: usualTimes().exp },
    }
    for (const [condition, claims] of Object.entries(wrongClaims)) {
      test(condition, async () => refused(await outside.signToken(claims)))
    }

    test('after its expiry, as TokenExpired', async () => {
      const anHourAgo = usualTimes().iat - 3_600
      const token = await outside.signToken({ iat: anHourAgo, nbf: anHourAgo, exp: anHourAgo + 600 })
      assertUnauthorized(portico, await api(portico, '/v2/sites', { token }), 'TokenExpired')
    })

    test('when its partner is disabled', async () => {
      const secondClientId = randomUUID()
      const operator = await operatorToken(portico)
      const { partnerUuid } = await addOutsidePartner(portico, secondClientId)
      const token = await outside.signToken({ azp: secondClientId, sub: secondClientId })
      await accepted(token)
      await changePartner(portico, operator, partnerUuid, { enabled: false })
      await eventually(() => refused(token))
    })
  })

  describe('a signature is accepted', () => {
    for (const algorithm of ['ES256', 'RS256'] as const) {
      test(`with ${algorithm} and the key of that name`, async () => {
        await accepted(await outside.signToken({}, { algorithm }))
      })

      test(`with ${algorithm}, but not under the id of the key of the other algorithm`, async () => {
        const { kid } = outside.keys[algorithm === 'ES256' ? 'RS256' : 'ES256']
        await refused(await outside.signToken({}, { algorithm, header: { kid } }))
      })

      test(`not with another ${algorithm} key under a known id`, async () => {
        const { privateKey } = await generateKeyPair(algorithm)
        const { kid } = outside.keys[algorithm]
        const token = new SignJWT(goodClaims()).setProtectedHeader({ alg: algorithm, typ: 'at+jwt', kid })
        await refused(await token.sign(privateKey))
      })

      test(`not with HS256 over the public ${algorithm} key`, async () => {
        const { kid, publicKey } = outside.keys[algorithm]
        const secret = new TextEncoder().encode(await exportSPKI(publicKey))
        const token = new SignJWT(goodClaims()).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid })
        await refused(await token.sign(secret))
      })
    }

    test('not if it is missing', async () => refused(new UnsecuredJWT(goodClaims()).encode()))
  })
})

describe('when the external key set is unreachable and not cached', () => {
  let portico: Portico
  before(async () => {
    const nobody = `http://localhost:${await findFreePort()}/jwks`
    portico = await startPortico({ env: { ...trusting(outside), OUTSIDE_ISSUER_JWKS: nobody } })
    await addOutsidePartner(portico, clientId)
  })
  after(() => portico.stop())

  test('an external token gets 503 with Retry-After', async () => {
    const answer = await api(portico, '/v2/sites', { token: await outside.issueToken() })
    assertProblem(portico, answer, 503)
    assert.ok(asInteger(Number(answer.headers.get('retry-after'))) > 0)
  })

  test('tokens of the built-in issuer still work', async () => {
    const answer = await api(portico, '/v2/sites', { token: await demoToken(portico) })
    assert.equal(answer.status, 200, answer.text)
  })
})

describe('instead of the built-in issuer', () => {
  let dataDir: string
  let portico: Portico
  let builtInToken: string
  before(async () => {
    dataDir = await makeDemoDir()
    const first = await startPortico({ dataDir, env: trusting(outside) })
    builtInToken = await demoToken(first)
    await addOutsidePartner(first, clientId)
    await first.stop()
    const env = { ...trusting(outside), BUILTIN_ISSUER: 'off' }
    portico = await startPortico({ dataDir, port: first.port, env })
  })
  after(async () => {
    await portico.stop()
    await removeDataDir(dataDir)
  })

  test('the token endpoint is not served', async () => {
    const { CLIENT_ID, CLIENT_SECRET } = portico.demoEnv
    const answer = await requestToken(portico, goodParameters(CLIENT_ID, CLIENT_SECRET))
    assert.equal(answer.status, 404, answer.text)
  })

  test('a token that the built-in issuer issued before is rejected', async () => {
    assertUnauthorized(portico, await api(portico, '/v2/sites', { token: builtInToken }), 'TokenInvalid')
  })

  test('a token of the external issuer is accepted', async () => {
    const answer = await api(portico, '/v2/sites', { token: await outside.issueToken() })
    assert.equal(answer.status, 200, answer.text)
  })
})

function trusting({ issuer, jwksUri, audience }: ExternalIssuer): Record<string, string> {
  return { OUTSIDE_ISSUER: issuer, OUTSIDE_ISSUER_JWKS: jwksUri, OUTSIDE_ISSUER_AUDIENCE: audience }
}

async function addOutsidePartner(portico: Portico, outsideClientId: string) {
  const body = { name: 'Outside partner', roles: ['Spaces.Read'], clientId: outsideClientId }
  return addPartner(portico, await operatorToken(portico), body)
}

function goodClaims(): JWTPayload {
  return { iss: outside.issuer, aud: outside.audience, sub: clientId, azp: clientId, ...usualTimes() }
}
