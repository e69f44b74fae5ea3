import assert from 'node:assert/strict'
import { once } from 'node:events'
import * as http from 'node:http'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { addClient, type Installation } from '../support/installation.ts'
import { asString } from '../support/json.ts'
import { scale } from '../support/overload/scale.ts'
import { watchServer } from '../support/overload/watch-server.ts'
import { startPortico } from '../support/portico.ts'
import { operatorToken } from '../support/requests.ts'
import { query, type V2Client } from '../support/v2-client.ts'

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

const day = (daysAgo: number): string =>
  new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
const [bedroom = {}] = await (await newClient()).list('/spaces?spaceType=bedroom')

/** The emissions of all bedrooms over a month, by the half hour. */
const EXPENSIVE = `/spaces/${asString(bedroom['spaceUuid'])}/aggregate/carbon/hourly${query({
  interval: 'PT15M',
  fromDateTime: day(40),
  toDateTime: day(10),
  compareTo: 'siteAverage',
})}`

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

interface Sent {
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
  const answered = (async (): Promise<Sent> => {
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
    const client = await newClient()
    const cost = (await client.send(EXPENSIVE)).headers.get('x-ratelimit-cost')
    assert.ok(Number(cost) > 1, `the query costs ${cost}`)
    await watchDuring(async () => {
      for (let round = 0; round < scale(1, 20); round += 1) {
        const sent: ReturnType<typeof send>[] = []
        for (let index = 0; index <= MAX_WAITING; index += 1) {
          sent.push(send(client, EXPENSIVE))
          await sleep(5)
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
    const client = await newClient()
    for (let round = 0; round < scale(1, 20); round += 1) {
      const left = Array.from({ length: MAX_WAITING + 1 }, () => send(client, EXPENSIVE))
      await sleep(30)
      for (const { abort } of left) abort()
      await sleep(30)
      const sent = Array.from({ length: MAX_WAITING }, () => send(client, EXPENSIVE))
      const answers = await Promise.all(sent.map(({ answered }) => answered))
      for (const { status } of answers) assert.equal(status, 200)
    }
  })

  test('queries of another partner do not wait behind them', async () => {
    const [many, one] = [await newClient(), await newClient()]
    // Verifies the token in advance, so that only the queue is measured.
    await one.get('/sites')
    const sent = Array.from({ length: MAX_WAITING + 1 }, () => send(many, EXPENSIVE))
    await sleep(30)
    const other = await send(one, EXPENSIVE).answered
    assert.equal(other.status, 200)
    const answers = await Promise.all(sent.map(({ answered }) => answered))
    const before = answers.filter(({ atMs }) => atMs < other.atMs)
    assert.ok(before.length <= MAX_WAITING / 2, `${before.length} queries were answered before`)
  })
})
