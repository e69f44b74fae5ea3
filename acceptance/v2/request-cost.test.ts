import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { device, makeSmallSite, space } from '../support/fixtures/small-site.ts'
import {
  addClient,
  applyInventory,
  type Installation,
  startInstallation,
} from '../support/servers/installation.ts'
import { asString } from '../support/json.ts'
import { assertProblem } from '../support/oracles/problem.ts'
import { type Answer, api } from '../support/clients/requests.ts'
import { stoppedClock } from '../support/preload/stopped-clock.ts'
import { query, type V2Client } from '../support/clients/v2-client.ts'

const PER_MINUTE = 31
const toLimits = (perMinute: number) => ({
  ...stoppedClock(),
  RATE_LIMIT: 'on',
  RATE_LIMIT_PER_MINUTE: String(perMinute),
  RATE_LIMIT_PER_5_MINUTES: '1000',
})
const [limited, low, unlimited] = await Promise.all([
  startInstallation(toLimits(PER_MINUTE)),
  startInstallation(toLimits(6)),
  startInstallation({ RATE_LIMIT: 'off' }),
])
after(() => Promise.all([limited, low, unlimited].map((installation) => installation.stop())))

const house = makeSmallSite()
const { buildingUuid } = house
for (let count = 0; count < 100; count += 1)
  house.document.spaces.push(space(randomUUID(), 'bedroom', { buildingUuid, floorNumber: 2 }))
house.document.spaces.forEach((one, index) => Object.assign(one, { legacyId: 100 + index }))
for (const installation of [limited, low, unlimited]) await applyInventory(installation, house.document)

const newClient = (installation: Installation = limited): Promise<V2Client> =>
  addClient(installation, [house.siteUuid])

const day = (daysAgo: number): string =>
  new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)

const series = (metric: string, granularity: string, parameters: Record<string, string>): string =>
  `/spaces/${house.bedroom}/aggregate/${metric}/${granularity}${query(parameters)}`

/** A query over a year of each of the site's bedrooms. */
const EXPENSIVE = series('temperature', 'daily', { fromDateTime: day(360), compareTo: 'siteAverage' })

const cost = ({ headers }: Answer): string | null => headers.get('x-ratelimit-cost')
const left = ({ headers }: Answer): number => Number(headers.get('x-ratelimit-remaining'))
const leftIn5Minutes = ({ headers }: Answer): number => Number(headers.get('x-ratelimit-remaining-5m'))

describe('X-RateLimit-Cost', () => {
  test('is 1 for ordinary requests, successful or not', async () => {
    const client = await newClient()
    const paths = [
      '/sites',
      '/spaces',
      '/devices',
      '/nothing',
      '/devices?limit=x',
      `/devices/${randomUUID()}`,
      `/spaces/${house.bedroom}/overview`,
      series('electricity', 'hourly', { interval: 'PT15M', fromDateTime: day(30) }),
      series('electricity', 'hourly', { fromDateTime: day(2), toDateTime: day(1) }),
      series('temperature', 'daily', { interval: 'P1M', fromDateTime: day(1_790) }),
      series('carbon', 'daily', { interval: 'P1M', fromDateTime: day(1_790) }),
      series('electricity', 'daily', { fromDateTime: day(360), compareTo: 'previousYear' }),
      `/devices/${house.meter}/consumption/electricity`,
    ]
    for (const path of paths) assert.equal(cost(await client.send(path)), '1', path)
  })

  test('is what an expensive query counts as in both windows', async () => {
    const client = await newClient()
    const before = await client.send('/metric-types')
    const answer = await client.send(EXPENSIVE)
    assert.equal(answer.status, 200, answer.text)
    const counted = Number(cost(answer))
    assert.ok(counted > 1, `${counted}`)
    assert.equal(left(answer), left(before) - counted)
    assert.equal(leftIn5Minutes(answer), leftIn5Minutes(before) - counted)
    const after = await client.send('/metric-types')
    assert.equal(left(after), left(answer) - 1)
  })

  test('is sent by version 1 too, which shares the limits', async () => {
    const client = await newClient()
    const send = (path: string): Promise<Answer> =>
      api(client.portico, `/v1${path}`, { token: client.token, headers: { SiteId: house.siteUuid } })
    assert.equal(cost(await send('/spaces/details/100')), '1')
    assert.equal(cost(await send('/spaces/utilities/100/history')), '1')
    const answer = await send('/spaces/utilities/rank/100')
    assert.equal(answer.status, 200, answer.text)
    assert.ok(Number(cost(answer)) > 1)
    assert.equal(left(answer), PER_MINUTE - 2 - Number(cost(answer)))
  })

  test('is 1 for a query that is not computed, whatever it requests', async () => {
    const client = await newClient()
    for (const path of [
      series('temperature', 'daily', { fromDateTime: day(400), compareTo: 'siteAverage' }),
      `${EXPENSIVE}&scope=nothing`,
      EXPENSIVE.replace(house.bedroom, randomUUID()),
    ]) {
      const answer = await client.send(path)
      assert.ok([400, 404].includes(answer.status), answer.text)
      assert.equal(cost(answer), '1', path)
    }
    const headers = { accept: 'image/png' }
    const refused = await client.send(EXPENSIVE, { headers })
    assert.equal(refused.status, 406)
    assert.equal(cost(refused), '1')
    assert.equal(left(refused), PER_MINUTE - 4)
  })

  test('a comparison, which CSV does not contain, costs nothing', async () => {
    const client = await newClient()
    const csv = await client.send(EXPENSIVE, { headers: { accept: 'text/csv' } })
    assert.equal(csv.status, 200)
    assert.equal(cost(csv), '1')
  })

  test('is absent if rate limits are off', async () => {
    const client = await newClient(unlimited)
    assert.equal(cost(await client.send('/spaces')), null)
    assert.equal(cost(await client.send(EXPENSIVE)), null)
  })
})

describe('a list', () => {
  test('costs one for every thousand records', async () => {
    const large = makeSmallSite()
    large.document.spaces = large.document.spaces.slice(0, 1)
    large.document.devices = Array.from({ length: 2_001 }, () =>
      device(randomUUID(), 'multiSensor', large.bedroom, {}),
    )
    await applyInventory(limited, large.document)
    const client = await addClient(limited, [large.siteUuid])
    const whole = await client.send('/devices')
    assert.equal(whole.status, 200, whole.text)
    assert.equal(cost(whole), '3')
    assert.equal(left(whole), PER_MINUTE - 3)
    assert.equal(cost(await client.send('/devices?limit=1000')), '1')
    assert.equal(cost(await client.send('/spaces')), '1')
    const headers = { 'if-none-match': asString(whole.headers.get('etag')) }
    const again = await client.send('/devices', { headers })
    assert.equal(again.status, 304)
    assert.equal(cost(again), '2')
  })
})

describe('a query that costs more than what remains', () => {
  test('is 429 with its cost and consumes nothing: a cheap query is still accepted', async () => {
    const client = await newClient()
    let answer = await client.send(EXPENSIVE)
    const counted = Number(cost(answer))
    let before = answer
    for (; answer.status === 200; answer = await client.send(EXPENSIVE)) before = answer
    const body = assertProblem(limited.portico, answer, 429)
    assert.match(asString(body['detail']), new RegExp(`this request counts as ${counted}\\.$`))
    assert.equal(Number(cost(answer)), counted)
    assert.ok(left(answer) < counted)
    assert.equal(left(answer), left(before))
    assert.equal(leftIn5Minutes(answer), leftIn5Minutes(before))
    const retryAfter = Number(answer.headers.get('retry-after'))
    assert.ok(retryAfter >= 1 && retryAfter <= 120, String(retryAfter))
    const cheap = await client.send('/metric-types')
    assert.equal(cheap.status, 200)
    assert.equal(left(cheap), left(answer) - 1)
  })

  test('no query costs more than a third of a limit, so that partners with low limits can send it', async () => {
    const client = await newClient(low)
    const answer = await client.send(EXPENSIVE)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(cost(answer), '2')
    assert.equal(left(answer), 4)
  })
})

describe('a 304', () => {
  test('of an ordinary read costs 0', async () => {
    const client = await newClient()
    for (const path of [
      '/spaces',
      series('electricity', 'hourly', { fromDateTime: day(2), toDateTime: day(1) }),
    ]) {
      const first = await client.send(path)
      const headers = { 'if-none-match': asString(first.headers.get('etag')) }
      const again = await client.send(path, { headers })
      assert.equal(again.status, 304)
      assert.equal(cost(again), '0')
      assert.equal(left(again), left(first))
    }
  })

  test('of an expensive query is refunded one request, not the computation', async () => {
    const client = await newClient()
    const first = await client.send(EXPENSIVE)
    const counted = Number(cost(first))
    assert.ok(counted > 1)
    const headers = { 'if-none-match': asString(first.headers.get('etag')) }
    const again = await client.send(EXPENSIVE, { headers })
    assert.equal(again.status, 304)
    assert.equal(Number(cost(again)), counted - 1)
    assert.equal(left(again), left(first) - counted + 1)
  })

  test('for If-None-Match: * is not refunded', async () => {
    const client = await newClient()
    const headers = { 'if-none-match': ' * ' }
    for (const path of [
      '/spaces',
      series('electricity', 'hourly', { fromDateTime: day(2), toDateTime: day(1) }),
    ]) {
      const before = left(await client.send('/metric-types'))
      const answer = await client.send(path, { headers })
      assert.equal(answer.status, 304)
      assert.equal(cost(answer), '1')
      assert.equal(left(answer), before - 1)
    }
  })
})

describe('a batch read', () => {
  const named = house.document.spaces.slice(0, 75).map(({ spaceUuid }) => asString(spaceUuid))
  const path = `/aggregate/hourly${query({
    metricTypes: 'electricity,temperature',
    spaceUuids: named.join(),
    fromDateTime: day(2),
    toDateTime: day(1),
  })}`

  test('costs one, and one more for every 50 series of its page', async () => {
    const client = await newClient()
    const answer = await client.send(path)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(cost(answer), '4')
    assert.equal(left(answer), PER_MINUTE - 4)
    assert.equal(cost(await client.send(`${path}&limit=49`)), '1')
    assert.equal(cost(await client.send(`${path}&limit=50`)), '2')
  })

  test('is refunded its whole cost by a 304', async () => {
    const client = await newClient()
    const first = await client.send(path)
    const headers = { 'if-none-match': asString(first.headers.get('etag')) }
    const again = await client.send(path, { headers })
    assert.equal(again.status, 304)
    assert.equal(cost(again), '0')
    assert.equal(left(again), left(first))
  })

  test('that does not fit is 429 as a whole, and consumes nothing', async () => {
    const client = await newClient()
    let answer = await client.send(path)
    let before = answer
    for (; answer.status === 200; answer = await client.send(path)) before = answer
    assertProblem(limited.portico, answer, 429)
    assert.equal(cost(answer), '4')
    assert.equal(left(answer), left(before))
  })
})
