import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertIssuerError, issuerErrors } from '../support/oracles/issuer-error.ts'
import { goodParameters, requestToken } from '../support/clients/requests.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const { portico } = await shareDemo()

const good = goodParameters(portico.demoEnv.CLIENT_ID, portico.demoEnv.CLIENT_SECRET)

test('RATE_LIMIT=off disables the limit on issued tokens', async () => {
  for (let count = 0; count < 45; count++) {
    const answer = await requestToken(portico, good)
    assert.equal(answer.status, 200, answer.text)
  }
})

test('RATE_LIMIT=off disables the limit on wrong secrets', async () => {
  for (let count = 0; count < 25; count++) {
    assertIssuerError(
      await requestToken(portico, { ...good, client_secret: 'wrong' }),
      issuerErrors.wrongSecret,
    )
  }
})
