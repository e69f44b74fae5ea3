import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { consoleToken, postSignIn, requestConsoleToken, signIn } from '../support/clients/console.ts'
import { api, goodParameters, requestToken, tokenFor } from '../support/clients/requests.ts'
import { asObject } from '../support/json.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { stoppedClock } from '../support/preload/stopped-clock.ts'
import { addClient, applyInventory, startInstallation } from '../support/servers/installation.ts'

const installation = await startInstallation({ RATE_LIMIT: 'on', ...stoppedClock() })
after(() => installation.stop())
const { portico } = installation
const house = makeSmallSite()
await applyInventory(installation, house.document)

const newPartner = async () => (await addClient(installation, [house.siteUuid])).partner
const headers = { SiteId: house.siteUuid }

/** The remaining limit after a request with the token. */
const remaining = async (token: string): Promise<number> =>
  Number((await api(portico, '/v2/spaces', { token, headers })).headers.get('x-ratelimit-remaining'))

test('300 requests of the console leave the limit of the partner’s backend untouched', async () => {
  const partner = await newPartner()
  const production = await tokenFor(portico, partner.clientId, partner.clientSecret)
  const before = await remaining(production)
  const cookie = await signIn(portico, partner)
  const token = await consoleToken(portico, cookie)
  const request = () => api(portico, '/v2/spaces', { token, headers })
  const first = await request()
  assert.equal(first.headers.get('x-ratelimit-limit'), '300')
  assert.equal(first.headers.get('x-ratelimit-limit-5m'), null)
  // The token was the first of them.
  for (let count = 2; count < 300; count += 1) assert.equal((await request()).status, 200, String(count))
  const limited = await request()
  assert.equal(limited.status, 429)
  assert.match(String(limited.json['detail']), /At most 300 requests per minute from the console/)
  assert.ok(Number(limited.headers.get('retry-after')) >= 1)
  assert.equal((await requestConsoleToken(portico, cookie)).status, 429)
  assert.equal(await remaining(production), before - 1)
})

test('the account has what is left of the backend’s limit for each site, and reading it consumes nothing', async () => {
  const partner = await newPartner()
  const production = await tokenFor(portico, partner.clientId, partner.clientSecret)
  const console = await consoleToken(portico, await signIn(portico, partner))
  const readLeft = async (token: string): Promise<unknown> =>
    asObject((await api(portico, '/v2/account', { token })).json['rateLimits'])['remaining']
  const left = (used: number) => [
    { siteUuid: house.siteUuid, perMinute: 180 - used, per5Minutes: 500 - used },
  ]
  assert.deepEqual(await readLeft(console), left(0))
  assert.equal(await remaining(production), 179)
  assert.equal(await remaining(production), 178)
  for (const token of [console, production, console]) assert.deepEqual(await readLeft(token), left(2))
  for (let count = 2; count < 180; count += 1) await remaining(production)
  assert.equal((await api(portico, '/v2/spaces', { token: production, headers })).status, 429)
  assert.deepEqual(await readLeft(console), left(180))
})

test('wrong secrets count together at the form and at the token endpoint', async () => {
  const partner = await newPartner()
  const wrong = { ...partner, clientSecret: 'wrong' }
  for (let count = 0; count < 5; count += 1) {
    const form = await postSignIn(portico, wrong)
    assert.equal(form.headers.get('location'), '/console/sign-in?flash=wrong')
    assert.equal((await requestToken(portico, goodParameters(wrong.clientId, 'wrong'))).status, 401)
  }
  assert.equal((await requestToken(portico, goodParameters(wrong.clientId, 'wrong'))).status, 429)
  const limited = await postSignIn(portico, wrong)
  assert.equal(limited.headers.get('location'), '/console/sign-in?flash=limited')
  await signIn(portico, partner)
})

test('sign-ins are limited, and do not count as tokens', async () => {
  const partner = await newPartner()
  for (let count = 0; count < 30; count += 1) await signIn(portico, partner)
  assert.equal((await postSignIn(portico, partner)).headers.get('location'), '/console/sign-in?flash=limited')
  await tokenFor(portico, partner.clientId, partner.clientSecret)
})
