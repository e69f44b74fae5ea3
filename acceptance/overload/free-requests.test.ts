import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { addClient, applyInventory, startInstallation } from '../support/servers/installation.ts'
import { asString } from '../support/json.ts'
import { scale } from '../support/overload/scale.ts'
import { watchServer } from '../support/overload/watch-server.ts'
import { api } from '../support/clients/requests.ts'
import { query } from '../support/clients/v2-client.ts'

const PER_MINUTE = 40
/** How many 304 responses are refunded in a minute. */
const REFUNDS_PER_MINUTE = 5 * PER_MINUTE
const CONNECTIONS = 8

const installation = await startInstallation({
  RATE_LIMIT: 'on',
  RATE_LIMIT_PER_MINUTE: String(PER_MINUTE),
  RATE_LIMIT_PER_5_MINUTES: '100000',
})
after(() => installation.stop())
const { portico, operator } = installation
const house = makeSmallSite()
await applyInventory(installation, house.document)
const newClient = () => addClient(installation, [house.siteUuid])

/** The well-behaved client of `watchServer` sends 20 requests a second. */
const steady = await newClient()
const patched = await api(portico, `/operator/partners/${steady.partner.partnerUuid}`, {
  method: 'PATCH',
  token: operator,
  body: { rateLimits: { perMinute: 100_000, per5Minutes: 100_000 } },
})
assert.equal(patched.status, 200, patched.text)

const READS = {
  'a series': `/spaces/${house.bedroom}/aggregate/electricity/hourly${query({
    fromDateTime: '2026-01-01',
    toDateTime: '2026-01-08',
  })}`,
  'a list': '/devices',
}

/** Sends conditional requests of one partner as fast as they are answered, and counts the responses. */
async function hammer(path: string, toCondition: (etag: string) => string, count: number) {
  const client = await newClient()
  const etag = asString((await client.send(path)).headers.get('etag'))
  const headers = { 'if-none-match': toCondition(etag) }
  const watch = await watchServer(portico, {
    path: '/v2/spaces',
    headers: { authorization: `Bearer ${steady.token}`, siteid: house.siteUuid },
  })
  const statuses = new Map<number, number>()
  let sent = 0
  const startedAt = performance.now()
  const send = async (): Promise<void> => {
    while (sent < count) {
      sent += 1
      const { status } = await client.send(path, { headers })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, send))
  const minutes = (performance.now() - startedAt) / 60_000
  const { maxMs } = await watch.stop()
  assert.ok(maxMs < 2_000, `a request of another partner took ${maxMs} ms`)
  for (const status of statuses.keys()) assert.ok(status === 304 || status === 429, String(status))
  return { notModified: statuses.get(304) ?? 0, minutes }
}

/** A sliding window allows its limit, and as many again in each further minute. */
const atMost = (perMinute: number, minutes: number): number => Math.ceil(perMinute * (1 + minutes)) + 2

for (const [name, path] of Object.entries(READS)) {
  describe(`conditional requests for ${name}`, () => {
    test('If-None-Match: * is limited like any other request', async () => {
      const { notModified, minutes } = await hammer(path, () => '*', scale(200, 5_000))
      assert.ok(notModified <= atMost(PER_MINUTE, minutes), `${notModified} in ${minutes} minutes`)
    })

    test('an ETag that still matches is refunded, but not without bound', async () => {
      const count = scale(2 * REFUNDS_PER_MINUTE, 10_000)
      const { notModified, minutes } = await hammer(path, (etag) => etag, count)
      assert.ok(notModified >= REFUNDS_PER_MINUTE, `${notModified} were answered`)
      const bound = atMost(PER_MINUTE + REFUNDS_PER_MINUTE, minutes)
      assert.ok(notModified <= bound, `${notModified} in ${minutes} minutes`)
    })
  })
}
