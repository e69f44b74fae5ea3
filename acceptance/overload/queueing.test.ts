import assert from 'node:assert/strict'
import { once } from 'node:events'
import * as http from 'node:http'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../support/eventually.ts'
import { addClient, type Installation } from '../support/servers/installation.ts'
import { asString } from '../support/json.ts'
import { scale } from '../support/overload/scale.ts'
import { watchServer } from '../support/overload/watch-server.ts'
import { startPortico } from '../support/servers/portico.ts'
import { operatorToken } from '../support/clients/requests.ts'
import { query, type V2Client } from '../support/clients/v2-client.ts'

/** One query of a partner is computed while up to this many wait; further ones are rejected. */
const MAX_WAITING = 8

// High rate limits, so that only the queue holds queries back.
const portico = await startPortico({
  env: { RATE_LIMIT_PER_MINUTE: '100000', RATE_LIMIT_PER_5_MINUTES: '100000' },
})
const installation: Installation = {
  portico,
  operator: await operatorToken(portico),
  stop: async () => void (await portico.stop()),
}
after(() => installation.stop())
const siteId = portico.demoEnv.SITE_ID
const newClient = (): Promise<V2Client> => addClient(installation, [siteId])

const [bedroom = {}] = await (await newClient()).list('/spaces?spaceType=bedroom')
const today = Temporal.Now.plainDateISO('UTC')
const toQuery = (metric: string, interval: string, from: Temporal.PlainDate): string =>
  `/spaces/${asString(bedroom['spaceUuid'])}/aggregate/${metric}/daily${query({
    interval,
    fromDateTime: from.toString(),
    compareTo: 'siteAverage',
  })}`

// Queries over all bedrooms. The long one takes about a second, the others a fifth and a thirtieth of it.
const LONG = toQuery('carbon', 'P1M', today.with({ day: 1 }).subtract({ months: 59 }))
const EXPENSIVE = toQuery('carbon', 'P1D', today.subtract({ days: 364 }))
const SHORT = toQuery('electricity', 'P1D', today.subtract({ days: 364 }))

/** The cost of a query. It is charged when the query joins the queue. */
async function readCost(path: string): Promise<number> {
  const { status, headers } = await (await newClient()).send(path)
  assert.equal(status, 200)
  const cost = Number(headers.get('x-ratelimit-cost'))
  assert.ok(cost > 1, `the query costs ${cost}`)
  return cost
}

interface Charges {
  /** Resolves when at least this many units have been charged to the partner since `watchCharges`. */
  reach(units: number): Promise<void>
}

async function watchCharges(client: V2Client): Promise<Charges> {
  const readRemaining = async (): Promise<number> =>
    Number((await client.send('/spaces?limit=1')).headers.get('x-ratelimit-remaining-5m'))
  const first = await readRemaining()
  let own = 0
  return {
    reach: (units) =>
      eventually(async () => {
        own += 1
        const charged = first - (await readRemaining()) - own
        assert.ok(charged >= units, `${charged} units have been charged, not ${units}`)
      }),
  }
}

/** Fails if another partner waits longer than the queries that one partner may have queued take. */
async function watchDuring(attack: () => Promise<void>): Promise<void> {
  const { token } = await newClient()
  const path = `/v2/spaces/${asString(bedroom['spaceUuid'])}/aggregate/electricity/hourly`
  const headers = { authorization: `Bearer ${token}`, siteid: siteId }
  const startedAt = performance.now()
  assert.equal((await (await newClient()).send(EXPENSIVE)).status, 200)
  const onceMs = performance.now() - startedAt
  const watching = await watchServer(portico, { path, headers })
  const boundMs = Math.max(1_000, 2 * (MAX_WAITING + 1) * onceMs)
  try {
    await attack()
  } finally {
    const { maxMs } = await watching.stop()
    assert.ok(maxMs < boundMs, `a request of another partner took ${maxMs} ms, one query ${onceMs} ms`)
  }
}

interface SentRequest {
  status: number | undefined
  retryAfter: string | undefined
  atMs: number
}

/** A request on a separate connection. */
function send({ token }: V2Client, path: string) {
  const headers = { authorization: `Bearer ${token}`, siteid: siteId }
  const request = http.get({
    host: '127.0.0.1',
    port: portico.port,
    path: `/v2${path}`,
    headers,
    agent: false,
  })
  const answered = (async (): Promise<SentRequest> => {
    const [response]: http.IncomingMessage[] = await once(request, 'response')
    response?.resume()
    const atMs = performance.now()
    return { status: response?.statusCode, retryAfter: response?.headers['retry-after'], atMs }
  })()
  answered.catch(() => {})
  return { answered, abort: () => request.destroy() }
}

describe('expensive queries that one partner sends at the same time', () => {
  test('are computed one after another, in their order, while other partners are answered', async () => {
    const [longCost, shortCost] = [await readCost(LONG), await readCost(SHORT)]
    await watchDuring(async () => {
      for (let round = 0; round < scale(1, 20); round += 1) {
        const client = await newClient()
        const charges = await watchCharges(client)
        // Computed concurrently, the short ones would be answered before the long one.
        const sent = [send(client, LONG)]
        await charges.reach(longCost)
        for (let count = 1; count <= MAX_WAITING; count += 1) {
          sent.push(send(client, SHORT))
          await charges.reach(longCost + count * shortCost)
        }
        const answers = await Promise.all(sent.map(({ answered }) => answered))
        for (const { status } of answers) assert.equal(status, 200)
        const times = answers.map(({ atMs }) => atMs)
        assert.deepEqual(
          times,
          times.toSorted((a, b) => a - b),
        )
      }
    })
  })

  test('too many are 429 with Retry-After, and the others are answered', async () => {
    const client = await newClient()
    await watchDuring(async () => {
      for (let round = 0; round < scale(1, 20); round += 1) {
        const sent = Array.from({ length: 40 }, () => send(client, EXPENSIVE))
        const answers = await Promise.all(sent.map(({ answered }) => answered))
        const rejected = answers.filter(({ status }) => status === 429)
        const computed = answers.filter(({ status }) => status === 200)
        assert.equal(rejected.length + computed.length, answers.length)
        assert.ok(computed.length > MAX_WAITING, `${computed.length} were computed`)
        assert.ok(rejected.length > 0, 'none was rejected')
        for (const { retryAfter } of rejected) assert.match(retryAfter ?? '', /^[1-9]\d*$/)
        // Rejections do not wait for running queries.
        const lastRejected = Math.max(...rejected.map(({ atMs }) => atMs))
        assert.ok(lastRejected < Math.max(...computed.map(({ atMs }) => atMs)))
      }
    })
  })

  test('those whose client has disconnected are dropped and make room for others', async () => {
    const [longCost, shortCost] = [await readCost(LONG), await readCost(SHORT)]
    for (let round = 0; round < scale(1, 20); round += 1) {
      const client = await newClient()
      const charges = await watchCharges(client)
      const running = send(client, LONG)
      await charges.reach(longCost)
      const left = Array.from({ length: MAX_WAITING }, () => send(client, SHORT))
      await charges.reach(longCost + MAX_WAITING * shortCost)
      for (const { abort } of left) abort()
      // Otherwise there would be room for hardly any of these before the running query has been computed.
      const sent: ReturnType<typeof send>[] = []
      let computed: Awaited<(typeof running)['answered']> | undefined
      while (!computed) {
        for (let count = 0; count < MAX_WAITING; count += 1) sent.push(send(client, SHORT))
        computed = await Promise.race([running.answered, sleep(100, undefined)])
      }
      assert.equal(computed.status, 200)
      const answers = await Promise.all(sent.map(({ answered }) => answered))
      const accepted = answers.filter(({ status }) => status === 200)
      assert.ok(accepted.length >= MAX_WAITING, `${accepted.length} were computed`)
    }
  })

  test('queries of another partner do not wait behind them', async () => {
    const [many, one] = [await newClient(), await newClient()]
    const cost = await readCost(EXPENSIVE)
    // Verifies the token in advance, so that only the queue is measured.
    await one.get('/sites')
    const charges = await watchCharges(many)
    const sent = Array.from({ length: MAX_WAITING + 1 }, () => send(many, EXPENSIVE))
    await charges.reach((MAX_WAITING + 1) * cost)
    const startedAt = performance.now()
    const other = await send(one, EXPENSIVE).answered
    assert.equal(other.status, 200)
    const answers = await Promise.all(sent.map(({ answered }) => answered))
    const before = answers.filter(({ atMs }) => atMs > startedAt && atMs < other.atMs)
    assert.ok(before.length <= MAX_WAITING / 2, `${before.length} queries were answered before`)
  })
})
