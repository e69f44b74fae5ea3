import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertIssuerError, issuerErrors } from '../support/oracles/issuer-error.ts'
import { addPartner, changePartner } from '../support/clients/operator.ts'
import { assertUnauthorized } from '../support/oracles/problem.ts'
import { api, goodParameters, operatorToken, requestToken, tokenFor } from '../support/clients/requests.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const { portico } = await shareDemo()

const operator = await operatorToken(portico)
const enable = (partnerUuid: string, enabled: boolean) =>
  changePartner(portico, operator, partnerUuid, { enabled })

test('disabling a partner stops new tokens and revokes issued ones', async () => {
  const partner = await addPartner(portico, operator)
  const token = await tokenFor(portico, partner.clientId, partner.clientSecret)
  // Twice, so that the second response may use the cache of verified tokens.
  for (let count = 0; count < 2; count++) {
    assert.equal((await api(portico, '/v2/sites', { token })).status, 200)
  }
  assert.equal((await enable(partner.partnerUuid, false))['enabled'], false)
  assertUnauthorized(portico, await api(portico, '/v2/sites', { token }), 'TokenInvalid')
  const refused = await requestToken(portico, goodParameters(partner.clientId, partner.clientSecret))
  assertIssuerError(refused, issuerErrors.disabledClient)
})

test('enabling it again allows new tokens, and does not revive the old ones', async () => {
  const partner = await addPartner(portico, operator)
  const old = await tokenFor(portico, partner.clientId, partner.clientSecret)
  await enable(partner.partnerUuid, false)
  assert.equal((await enable(partner.partnerUuid, true))['enabled'], true)
  assertUnauthorized(portico, await api(portico, '/v2/sites', { token: old }), 'TokenInvalid')
  const renewed = await tokenFor(portico, partner.clientId, partner.clientSecret)
  assert.equal((await api(portico, '/v2/sites', { token: renewed })).status, 200)
  assertUnauthorized(portico, await api(portico, '/v2/sites', { token: old }), 'TokenInvalid')
})

test('enabling an enabled partner does not affect its tokens', async () => {
  const partner = await addPartner(portico, operator)
  const token = await tokenFor(portico, partner.clientId, partner.clientSecret)
  await enable(partner.partnerUuid, true)
  await changePartner(portico, operator, partner.partnerUuid, { name: 'Other name' })
  assert.equal((await api(portico, '/v2/sites', { token })).status, 200)
})

test('disabling one partner does not affect another', async () => {
  const [first, second] = await Promise.all([addPartner(portico, operator), addPartner(portico, operator)])
  const token = await tokenFor(portico, second.clientId, second.clientSecret)
  await enable(first.partnerUuid, false)
  assert.equal((await api(portico, '/v2/sites', { token })).status, 200)
})
