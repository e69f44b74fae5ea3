import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertIssuerError, issuerErrors } from '../support/oracles/issuer-error.ts'
import { startPortico } from '../support/servers/portico.ts'
import { api, goodParameters, requestToken } from '../support/clients/requests.ts'
import { stoppedClock } from '../support/preload/stopped-clock.ts'

test('TRUST_PROXY=on: forged addresses do not evade the limit on wrong secrets, and a warning is logged at startup', async () => {
  await using portico = await startPortico({ env: { ...stoppedClock(), TRUST_PROXY: 'on' } })
  await portico.waitForOutput(/"level":"warn".*TRUST_PROXY=on/)
  const { CLIENT_ID, CLIENT_SECRET } = portico.demoEnv
  const right = goodParameters(CLIENT_ID, CLIENT_SECRET)
  const wrong = { ...right, client_secret: 'wrong' }
  const statuses: number[] = []
  for (let index = 0; index < 30; index += 1) {
    const headers = { 'x-forwarded-for': `198.51.100.${index}, 203.0.113.${index}` }
    statuses.push((await requestToken(portico, wrong, { headers })).status)
  }
  assert.deepEqual(
    statuses,
    statuses.map((_, index) => (index < 10 ? 401 : 429)),
  )
  const headers = { 'x-forwarded-for': '198.51.100.99' }
  assert.equal((await requestToken(portico, right, { headers })).status, 200)
})

test('TRUST_PROXY=1: callers behind the proxy have separate limits', async () => {
  await using portico = await startPortico({ env: { ...stoppedClock(), TRUST_PROXY: '1' } })
  await portico.waitForOutput(/"msg":"ready"/)
  assert.doesNotMatch(portico.output(), /"level":"warn".*TRUST_PROXY/)
  const { CLIENT_ID } = portico.demoEnv
  const wrong = goodParameters(CLIENT_ID, 'wrong')
  const last = async (addresses: string): Promise<number> => {
    let status = 0
    for (let index = 0; index < 13; index += 1)
      ({ status } = await requestToken(portico, wrong, { headers: { 'x-forwarded-for': addresses } }))
    return status
  }
  assert.equal(await last('203.0.113.1'), 429)
  const other = await requestToken(portico, wrong, { headers: { 'x-forwarded-for': '203.0.113.2' } })
  assertIssuerError(other, issuerErrors.wrongSecret)
  // Everything before the address that the proxy added was sent by the client.
  const forged = await requestToken(portico, wrong, {
    headers: { 'x-forwarded-for': '203.0.113.3, 203.0.113.1' },
  })
  assert.equal(forged.status, 429)
})

test('a malformed address does not hide the address of its caller in later requests', async () => {
  await using portico = await startPortico({ demo: false, env: { TRUST_PROXY: '1' } })
  const headers = { 'x-forwarded-for': '203.0.113.9' }
  await api(portico, '/%zz', { headers })
  assert.equal((await api(portico, '/nothing', { headers })).status, 404)
  await portico.waitForOutput(/"path":"\/nothing","status":404,.*"address":"203\.0\.113\.9"/)
})
