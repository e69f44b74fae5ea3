import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { asArray, asInstant, asObject, asString, asUuid, type JsonObject } from '../support/json.ts'
import { addPartner, changePartner, type NewPartner, partnerRoles } from '../support/clients/operator.ts'
import { startPortico } from '../support/servers/portico.ts'
import { assertProblem } from '../support/oracles/problem.ts'
import { api, operatorToken, send, tokenFor } from '../support/clients/requests.ts'

const portico = await startPortico({ env: { RATE_LIMIT: 'off' } })
after(() => portico.stop())

const token = await operatorToken(portico)
const { SITE_ID } = portico.demoEnv

const show = async (partner: NewPartner): Promise<JsonObject> => {
  const answer = await api(portico, `/operator/partners/${partner.partnerUuid}`, { token })
  assert.equal(answer.status, 200, answer.text)
  return answer.json
}

describe('POST /operator/partners', () => {
  test('returns 201 with everything that the partner needs', async () => {
    const { json } = await addPartner(portico, token, { name: 'Acme', roles: partnerRoles })
    asUuid(json['partnerUuid'])
    const clientId = asUuid(json['clientId'])
    assert.equal(json['name'], 'Acme')
    assert.equal(json['enabled'], true)
    assert.deepEqual(json['sites'], [SITE_ID])
    assert.deepEqual(asArray(json['roles']).map(asString).toSorted(), partnerRoles.toSorted())
    assert.equal(json['authUrl'], portico.authUrl)
    assert.equal(json['baseUrl'], portico.baseUrl)
    assert.equal(json['scope'], `api://${clientId}/.default`)
    const secret = asObject(json['secret'])
    assert.notEqual(asString(secret['secretId']), '')
    asString(secret['hint'])
    assert.ok('expiresAt' in secret)
    if (secret['expiresAt'] !== null) assert.ok(asInstant(secret['expiresAt']) > Date.now())
  })

  test('creates a secret of 256 random bits in base64url, and a hint that does not reveal it', async () => {
    const partners = await Promise.all([addPartner(portico, token), addPartner(portico, token)])
    assert.notEqual(partners[0].clientSecret, partners[1].clientSecret)
    for (const { clientSecret, secretId, json } of partners) {
      assert.match(clientSecret, /^[A-Za-z0-9_-]{43}$/)
      assert.notEqual(secretId, clientSecret)
      const hint = asString(asObject(json['secret'])['hint'])
      assert.ok(hint.length <= 8 && hint !== clientSecret, hint)
    }
  })

  test('returns credentials that get a token at the addresses in the response', async () => {
    const { json } = await addPartner(portico, token)
    const issued = await send(`${asString(json['authUrl'])}/oauth2/v2.0/token`, {
      method: 'POST',
      body: new URLSearchParams({
        client_id: asString(json['clientId']),
        client_secret: asString(json['clientSecret']),
        scope: asString(json['scope']),
        grant_type: 'client_credentials',
      }),
    })
    assert.equal(issued.status, 200, issued.text)
    const sites = await send(`${asString(json['baseUrl'])}/sites`, {
      headers: { authorization: `Bearer ${asString(issued.json['access_token'])}` },
    })
    assert.equal(sites.status, 200, sites.text)
  })

  test('accepts a clientId of the caller, once', async () => {
    const clientId = randomUUID()
    const partner = await addPartner(portico, token, { clientId })
    assert.equal(partner.clientId, clientId)
    await tokenFor(portico, clientId, partner.clientSecret)
    for (const again of [clientId, clientId.toUpperCase()]) {
      const body = { name: 'Twin', sites: [], roles: ['Devices.Read'], clientId: again }
      assertProblem(portico, await api(portico, '/operator/partners', { method: 'POST', token, body }), 409)
    }
  })

  test('stores a name unchanged', async () => {
    const name = 'Müller & Söhne <"Gebäude"> 日本 🏠'
    const partner = await addPartner(portico, token, { name })
    assert.equal((await show(partner))['name'], name)
  })
})

describe('GET /operator/partners', () => {
  test('lists every partner, including the two of the demo, without any secret value', async () => {
    const partner = await addPartner(portico, token)
    const answer = await api(portico, '/operator/partners', { token })
    assert.equal(answer.status, 200, answer.text)
    const clients = asArray(answer.json['data']).map((item) => asObject(item)['clientId'])
    for (const id of [partner.clientId, portico.demoEnv.CLIENT_ID, portico.demoEnv.OPERATOR_CLIENT_ID]) {
      assert.equal(clients.filter((client) => client === id).length, 1)
    }
    for (const secret of [partner.clientSecret, portico.demoEnv.CLIENT_SECRET]) {
      assert.ok(!answer.text.includes(secret))
    }
    assert.doesNotMatch(answer.text, /clientSecret"/)
  })
})

describe('GET /operator/partners/{partnerUuid}', () => {
  test('shows the partner and its secrets by id, hint and expiry, never a value', async () => {
    const partner = await addPartner(portico, token)
    const answer = await api(portico, `/operator/partners/${partner.partnerUuid}`, { token })
    const { json } = answer
    assert.equal(json['partnerUuid'], partner.partnerUuid)
    assert.equal(json['clientId'], partner.clientId)
    assert.equal(json['enabled'], true)
    assert.deepEqual(json['sites'], partner.sites)
    assert.deepEqual(json['roles'], partner.roles)
    const [secret = {}] = asArray(json['secrets']).map(asObject)
    assert.equal(secret['secretId'], partner.secretId)
    assert.ok('hint' in secret && 'expiresAt' in secret)
    assert.ok(!answer.text.includes(partner.clientSecret))
  })

  test('of an unknown partner is 404, with a malformed UUID 400', async () => {
    assertProblem(portico, await api(portico, `/operator/partners/${randomUUID()}`, { token }), 404)
    for (const id of ['x', `${randomUUID()}0`, '%00', '%22%27', '1']) {
      assertProblem(portico, await api(portico, `/operator/partners/${id}`, { token }), 400)
    }
  })
})

describe('PATCH /operator/partners/{partnerUuid}', () => {
  test('changes only the named fields', async () => {
    const partner = await addPartner(portico, token)
    const before = await show(partner)
    const renamed = await changePartner(portico, token, partner.partnerUuid, { name: 'Renamed' })
    assert.equal(renamed['name'], 'Renamed')
    const shown = await show(partner)
    assert.deepEqual(shown, { ...before, name: 'Renamed', updatedAt: shown['updatedAt'] })
    const moved = await changePartner(portico, token, partner.partnerUuid, { sites: [], roles: ['V1.Read'] })
    assert.deepEqual([moved['sites'], moved['roles'], moved['enabled']], [[], ['V1.Read'], true])
  })

  test('never shows a secret', async () => {
    const partner = await addPartner(portico, token)
    const changed = await changePartner(portico, token, partner.partnerUuid, { enabled: true })
    assert.ok(!JSON.stringify(changed).includes(partner.clientSecret))
  })

  test('of an unknown partner is 404, with a malformed UUID 400', async () => {
    const change = { method: 'PATCH', token, body: { enabled: false } }
    assertProblem(portico, await api(portico, `/operator/partners/${randomUUID()}`, change), 404)
    assertProblem(portico, await api(portico, '/operator/partners/x', change), 400)
  })
})
