import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { assertIssuerError, issuerErrors } from '../support/oracles/issuer-error.ts'
import { asArray, asInstant, asObject, type JsonObject } from '../support/json.ts'
import { addPartner, addSecret } from '../support/clients/operator.ts'
import { startPortico } from '../support/servers/portico.ts'
import { assertFieldRefused, assertProblem } from '../support/oracles/problem.ts'
import { api, goodParameters, operatorToken, requestToken, tokenFor } from '../support/clients/requests.ts'

const portico = await startPortico({ env: { RATE_LIMIT: 'off' } })
after(() => portico.stop())

const token = await operatorToken(portico)
const toSecretsPath = (partnerUuid: string): string => `/operator/partners/${partnerUuid}/secrets`
const remove = (partnerUuid: string, secretId: string) =>
  api(portico, `${toSecretsPath(partnerUuid)}/${secretId}`, { method: 'DELETE', token })
const listed = async (partnerUuid: string): Promise<JsonObject[]> =>
  asArray((await api(portico, `/operator/partners/${partnerUuid}`, { token })).json['secrets']).map(asObject)

describe('POST …/secrets', () => {
  test('adds a second secret, and both work', async () => {
    const partner = await addPartner(portico, token)
    const second = await addSecret(portico, token, partner.partnerUuid)
    assert.notEqual(second.secretId, partner.secretId)
    assert.match(second.clientSecret, /^[A-Za-z0-9_-]{43}$/)
    await tokenFor(portico, partner.clientId, partner.clientSecret)
    await tokenFor(portico, partner.clientId, second.clientSecret)
  })

  test('expires after the requested number of days', async () => {
    const { partnerUuid } = await addPartner(portico, token)
    const { json } = await addSecret(portico, token, partnerUuid, { expiresInDays: 30 })
    const days = (asInstant(json['expiresAt']) - Date.now()) / 86_400_000
    assert.ok(days > 29.9 && days <= 30.1, `${days} days`)
  })

  test('returns the value once: neither the partner nor the list contains it afterwards', async () => {
    const { partnerUuid } = await addPartner(portico, token)
    const { clientSecret, secretId } = await addSecret(portico, token, partnerUuid)
    for (const path of [`/operator/partners/${partnerUuid}`, '/operator/partners', '/operator/audit']) {
      const answer = await api(portico, path, { token })
      assert.equal(answer.status, 200, answer.text)
      assert.ok(!answer.text.includes(clientSecret), path)
    }
    assert.ok((await listed(partnerUuid)).some((secret) => secret['secretId'] === secretId))
  })

  test('a sixth live secret is 409', async () => {
    const { partnerUuid } = await addPartner(portico, token)
    for (let count = 2; count <= 5; count++) await addSecret(portico, token, partnerUuid)
    const sixth = { method: 'POST', token, body: {} }
    assertProblem(portico, await api(portico, toSecretsPath(partnerUuid), sixth), 409)
    const [first] = await listed(partnerUuid)
    assert.equal((await remove(partnerUuid, String(first?.['secretId']))).status, 204)
    await addSecret(portico, token, partnerUuid)
  })

  test('six concurrent requests never create more than five live secrets', async () => {
    const { partnerUuid } = await addPartner(portico, token)
    const ask = () => api(portico, toSecretsPath(partnerUuid), { method: 'POST', token, body: {} })
    const answers = await Promise.all(Array.from({ length: 8 }, ask))
    assert.equal(answers.filter((answer) => answer.status === 201).length, 4)
    assert.equal(answers.filter((answer) => answer.status === 409).length, 4)
  })

  test('expired secrets do not count as live', async () => {
    const { partnerUuid } = await addPartner(portico, token)
    for (let count = 0; count < 5; count++) {
      await addSecret(portico, token, partnerUuid, { expiresInDays: 0 })
    }
    await addSecret(portico, token, partnerUuid)
  })

  test('rejects an invalid number of days, and unknown fields, with 400', async () => {
    const { partnerUuid } = await addPartner(portico, token)
    const post = (body: unknown) => api(portico, toSecretsPath(partnerUuid), { method: 'POST', token, body })
    for (const days of ['3', -1, 1.5, true, 1e15, []]) {
      assertFieldRefused(portico, await post({ expiresInDays: days }), 'expiresInDays')
    }
    assertFieldRefused(portico, await post({ colour: 'x' }), 'colour')
    assertProblem(portico, await post('[]'), 400)
  })

  test('of an unknown partner is 404, with a malformed UUID 400', async () => {
    const post = { method: 'POST', token, body: {} }
    assertProblem(portico, await api(portico, toSecretsPath(randomUUID()), post), 404)
    assertProblem(portico, await api(portico, toSecretsPath('x'), post), 400)
  })
})

describe('DELETE …/secrets/{secretId}', () => {
  test('returns 204, and the secret gets 7000215 from then on while the other one works', async () => {
    const partner = await addPartner(portico, token)
    const second = await addSecret(portico, token, partner.partnerUuid)
    const answer = await remove(partner.partnerUuid, partner.secretId)
    assert.equal(answer.status, 204)
    assert.equal(answer.text, '')
    const refused = await requestToken(portico, goodParameters(partner.clientId, partner.clientSecret))
    assertIssuerError(refused, issuerErrors.wrongSecret)
    await tokenFor(portico, partner.clientId, second.clientSecret)
    assert.deepEqual(
      (await listed(partner.partnerUuid)).map((secret) => secret['secretId']),
      [second.secretId],
    )
  })

  test('of a removed or unknown secret, or of another partner, is 404', async () => {
    const [partner, other] = await Promise.all([addPartner(portico, token), addPartner(portico, token)])
    await addSecret(portico, token, partner.partnerUuid)
    assert.equal((await remove(partner.partnerUuid, partner.secretId)).status, 204)
    for (const id of [partner.secretId, other.secretId, randomUUID()]) {
      assertProblem(portico, await remove(partner.partnerUuid, id), 404)
    }
    await tokenFor(portico, other.clientId, other.clientSecret)
  })
})

test('the last use of a secret is shown for that secret only', async () => {
  const partner = await addPartner(portico, token)
  const unused = await addSecret(portico, token, partner.partnerUuid)
  assert.equal(lastUse(await listed(partner.partnerUuid), partner.secretId), null)
  await tokenFor(portico, partner.clientId, partner.clientSecret)
  // The last use may be stored a moment after the token is issued: a token request does not wait for it.
  await eventually(async () => {
    const secrets = await listed(partner.partnerUuid)
    asInstant(lastUse(secrets, partner.secretId))
    assert.equal(lastUse(secrets, unused.secretId), null)
  })
})

function lastUse(secrets: JsonObject[], id: string): unknown {
  const secret = secrets.find((candidate) => candidate['secretId'] === id) ?? {}
  return Object.entries(secret).find(([name]) => /^last/i.test(name))?.[1]
}
