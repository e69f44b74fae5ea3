import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeJwt } from 'jose'
import { startInstallation } from '../support/servers/installation.ts'
import { addPartner } from '../support/clients/operator.ts'
import { startPortico } from '../support/servers/portico.ts'
import { assertUnauthorized } from '../support/oracles/problem.ts'
import { api, demoToken, operatorToken, tokenFor } from '../support/clients/requests.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const { portico } = await shareDemo()

test('a token of another installation is TokenInvalid', async () => {
  await using other = await startPortico({ env: { RATE_LIMIT: 'off' } })
  const token = await demoToken(other)
  assert.equal((await api(other, '/v2/sites', { token })).status, 200)
  assertUnauthorized(portico, await api(portico, '/v2/sites', { token }), 'TokenInvalid')
})

test('a token of another installation with the same issuer, audience and client names is TokenInvalid', async () => {
  // Without the demo: a copy of the run's demo installation would share its signing keys.
  const twin = await startInstallation({}, { publicUrl: portico.url })
  const namesake = await addPartner(portico, await operatorToken(portico))
  const { clientId } = namesake
  const copy = await addPartner(twin.portico, twin.operator, { clientId, sites: [] })
  const token = await tokenFor(twin.portico, clientId, copy.clientSecret)
  await twin.stop()
  const ours = decodeJwt(await tokenFor(portico, clientId, namesake.clientSecret))
  const theirs = decodeJwt(token)
  assert.deepEqual([theirs.iss, theirs.aud, theirs['azp']], [ours.iss, ours.aud, ours['azp']])
  assertUnauthorized(portico, await api(portico, '/v2/sites', { token }), 'TokenInvalid')
})
