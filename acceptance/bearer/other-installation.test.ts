import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { decodeJwt } from 'jose'
import { addPartner } from '../support/operator.ts'
import { makeTempDir, startPortico } from '../support/portico.ts'
import { assertUnauthorized } from '../support/problem.ts'
import { api, demoToken, operatorToken, tokenFor } from '../support/requests.ts'

const portico = await startPortico({ env: { RATE_LIMIT: 'off' } })
after(() => portico.stop())

test('a token of another installation is TokenInvalid', async () => {
  await using other = await startPortico({ env: { RATE_LIMIT: 'off' } })
  const token = await demoToken(other)
  assert.equal((await api(other, '/v2/sites', { token })).status, 200)
  assertUnauthorized(portico, await api(portico, '/v2/sites', { token }), 'TokenInvalid')
})

test('so is one whose issuer, audience and client are all named like ours', async () => {
  // An empty folder: a copy of the store that the run has made would have our keys.
  await using twin = await startPortico({
    env: { RATE_LIMIT: 'off' },
    publicUrl: portico.url,
    dataDir: await makeTempDir(),
  })
  const namesake = await addPartner(portico, await operatorToken(portico))
  const { clientId } = namesake
  const copy = await addPartner(twin, await operatorToken(twin), { clientId })
  const token = await tokenFor(twin, clientId, copy.clientSecret)
  const ours = decodeJwt(await tokenFor(portico, clientId, namesake.clientSecret))
  const theirs = decodeJwt(token)
  assert.deepEqual([theirs.iss, theirs.aud, theirs['azp']], [ours.iss, ours.aud, ours['azp']])
  assertUnauthorized(portico, await api(portico, '/v2/sites', { token }), 'TokenInvalid')
})
