import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { makeSmallSite, space } from '../support/fixtures/small-site.ts'
import { addClient, applyInventory, startInstallation } from '../support/servers/installation.ts'
import { eventually } from '../support/eventually.ts'
import { readMetrics } from '../support/clients/metrics.ts'
import { api, type Answer, goodParameters, requestToken, tokenFor } from '../support/clients/requests.ts'
import { assertV8ThreadsYield } from '../support/overload/v8-threads.ts'
import { stoppedClock } from '../support/preload/stopped-clock.ts'
import { answeredBy, everyServerHasWorkers, listWorkers } from '../support/servers/workers.ts'

everyServerHasWorkers(2)

const limits = {
  ...stoppedClock(),
  RATE_LIMIT: 'on',
  RATE_LIMIT_PER_MINUTE: '20',
  RATE_LIMIT_PER_5_MINUTES: '1000',
}
const installation = await startInstallation(limits)
after(() => installation.stop())
const { portico, operator } = installation
const house = makeSmallSite()
for (let count = 0; count < 100; count += 1)
  house.document.spaces.push(
    space(randomUUID(), 'bedroom', { buildingUuid: house.buildingUuid, floorNumber: 2 }),
  )
await applyInventory(installation, house.document)
const newClient = () => addClient(installation, [house.siteUuid])

const times = <T>(count: number, call: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, call))

const passed = (answers: readonly Answer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length

test('two processes answer, and each log line names its worker', async () => {
  const workers = await listWorkers(portico)
  assert.equal(workers.length, 2)
  for (const pid of workers) assertV8ThreadsYield(pid)
  await times(40, () => api(portico, '/openapi/v2.json'))
  await eventually(async () => assert.deepEqual(answeredBy(portico), new Set(['1', '2'])))
})

test('the metrics add up the requests of all workers, and contain the state of the store once', async () => {
  const client = await newClient()
  const answers = await times(30, () => client.send('/spaces'))
  const { partnerUuid } = client.partner
  const limited = passed(answers, 429)
  assert.ok(limited > 0)
  const expected = [
    `portico_partner_requests_total{partner="${partnerUuid}"} 30`,
    `portico_partner_refusals_total{partner="${partnerUuid}",status="429"} ${limited}`,
    'portico_devices{status="unknown"} 5',
    'portico_series 7',
  ]
  // Metrics are computed at most once a second.
  await eventually(async () => {
    const lines = (await readMetrics(portico)).split('\n')
    assert.deepEqual(
      expected.filter((line) => !lines.includes(line)),
      [],
    )
  })
})

describe('limits apply to the server as a whole, for every worker', () => {
  test('requests of a partner, one after another', async () => {
    const client = await newClient()
    const left: (string | null)[] = []
    for (let count = 0; count < 4; count += 1)
      left.push((await client.send('/spaces')).headers.get('x-ratelimit-remaining'))
    assert.deepEqual(left, ['19', '18', '17', '16'])
  })

  test('requests of a partner, concurrently', async () => {
    const client = await newClient()
    const answers = await times(60, () => client.send('/spaces'))
    assert.equal(passed(answers, 200), 20)
    assert.equal(passed(answers, 200) + passed(answers, 429), 60)
  })

  test('an expensive query counts as several requests', async () => {
    const client = await newClient()
    const path = `/spaces/${house.bedroom}/aggregate/temperature/hourly?compareTo=siteAverage`
    const { status, headers, text } = await client.send(path)
    assert.equal(status, 200, text)
    assert.equal(headers.get('x-ratelimit-cost'), '2')
    assert.equal(headers.get('x-ratelimit-remaining'), '18')
  })

  test('tokens of a client, and its wrong secrets', async () => {
    const { partner } = await newClient()
    const right = goodParameters(partner.clientId, partner.clientSecret)
    assert.equal(passed(await times(50, () => requestToken(portico, right)), 200), 29)
    const wrong = { ...right, client_secret: 'wrong' }
    assert.equal(passed(await times(30, () => requestToken(portico, wrong)), 401), 10)
  })

  test('commands of a device', async () => {
    const client = await newClient()
    const send = () => client.post(`/devices/${house.trv}/schedule`, { type: 'resume' })
    assert.equal(passed(await times(15, send), 202), 5)
  })
})

describe('a change through one worker is known to all when it is acknowledged', () => {
  const patch = async (partnerUuid: string, body: object): Promise<void> => {
    const request = { method: 'PATCH', token: operator, body }
    const answer = await api(portico, `/operator/partners/${partnerUuid}`, request)
    assert.equal(answer.status, 200, answer.text)
  }

  test('a partner is disabled', async () => {
    const { partner, token } = await newClient()
    assert.equal(passed(await times(6, () => api(portico, '/v2/sites', { token })), 200), 6)
    await patch(partner.partnerUuid, { enabled: false })
    assert.equal(passed(await times(6, () => api(portico, '/v2/sites', { token })), 401), 6)
  })
})

test('the report contains version 1 calls of all workers', async () => {
  const client = await newClient()
  const path = `/v1/spaces/details/${randomUUID()}`
  const headers = { SiteId: house.siteUuid }
  await times(11, () => api(portico, path, { token: client.token, headers }))
  const calls = (await client.list('/migration/usage')).map((row) => Number(row['calls']))
  assert.equal(
    calls.reduce((sum, count) => sum + count, 0),
    11,
  )
})

test('/metrics covers all processes, whichever one answers', async () => {
  const count = async (): Promise<number> => {
    const text = await readMetrics(portico)
    const line = /^portico_http_requests_total\{route="\/live",.*status="200"\} (\d+)$/m
    return Number(line.exec(text)?.[1] ?? 0)
  }
  const before = await count()
  await times(9, () => api(portico, '/live'))
  assert.deepEqual([await count(), await count()], [before + 9, before + 9])
})

// Must be the last test: it revokes the operator's token with all others.
test('a revoked key is revoked for every worker', async () => {
  const { partner, token } = await newClient()
  assert.equal(passed(await times(4, () => api(portico, '/v2/sites', { token })), 200), 4)
  const body = { revokePrevious: true }
  const rotated = await api(portico, '/operator/keys/rotate', { method: 'POST', token: operator, body })
  assert.equal(rotated.status, 200, rotated.text)
  assert.equal(passed(await times(6, () => api(portico, '/v2/sites', { token })), 401), 6)
  const tokens = await times(4, () => tokenFor(portico, partner.clientId, partner.clientSecret))
  for (const renewed of tokens) {
    const answers = await times(2, () => api(portico, '/v2/sites', { token: renewed }))
    assert.equal(passed(answers, 200), 2)
  }
})
