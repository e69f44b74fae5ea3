import assert from 'node:assert/strict'
import { once } from 'node:events'
import * as http from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createExpensiveQueries } from '../../../../src/http/pipeline/expensive-queries.ts'
import type { HeaderList } from '../../../../src/http/pipeline/reply.ts'
import { addRateLimitHeaders, createRequestLimits } from '../../../../src/http/pipeline/rate-limit.ts'
import { AppError, ERRORS } from '../../../../src/kernel/errors.ts'
import type { Services } from '../../../../src/http/services.ts'
import { inMemoryLimits } from '../../../../src/domain/identity/rate-limit/in-memory.ts'
import type { Client } from '../../../../src/domain/identity/partner/store.ts'
import { createClock } from '../../../support/clock.ts'

interface RunningQuery {
  name: string
  finish(): void
}

/** A server whose queries run until the test finishes them. A request names its partner, itself and its cost. */
async function startServer(t: TestContext, options: { isRateLimited?: boolean; perMinute?: number } = {}) {
  const { isRateLimited = true, perMinute = 1_000 } = options
  const services = {
    limits: inMemoryLimits(createClock()),
    isRateLimited,
    rateLimits: { perMinute, per5Minutes: 10_000 },
  } as Services
  const limits = createRequestLimits(services)
  const queries = createExpensiveQueries(services, limits)
  const running: RunningQuery[] = []
  const started: string[] = []
  const respond = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost')
    const [partner, name, cost] = ['partner', 'name', 'cost'].map((key) => searchParams.get(key) ?? '') as [
      string,
      string,
      string,
    ]
    const call: Parameters<typeof queries.run>[0] = {
      caller: { partnerUuid: partner } as Client,
      charge: undefined,
      request,
      response,
    }
    const end = (status: number, body: string, more: HeaderList = []): void => {
      const headers: HeaderList = [...more]
      if (call.charge) addRateLimitHeaders(headers, call.charge)
      response.writeHead(status, headers).end(body)
    }
    try {
      await limits.consume(call, partner)
      const result = await queries.run(call, Number(cost), compute)
      if (result !== undefined) end(200, result)
    } catch (error) {
      assert.ok(error instanceof AppError, String(error))
      const { retryAfterSeconds } = error
      end(
        ERRORS[error.code].status,
        '',
        retryAfterSeconds === undefined ? [] : ['retry-after', retryAfterSeconds],
      )
    }

    async function compute(): Promise<string> {
      started.push(name)
      const { promise, resolve } = Promise.withResolvers<void>()
      running.push({ name, finish: resolve })
      await promise
      if (name.includes('fails')) throw new AppError('unavailable', 'failed')
      return name
    }
  }
  const server = http.createServer((request, response) => void respond(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })

  const send = (partner: string, name: string, cost = 2) => {
    const path = `/?partner=${partner}&name=${name}&cost=${cost}`
    const request = http.get({ host: '127.0.0.1', port, path, agent: false })
    const status = once(request, 'response').then(([response]: http.IncomingMessage[]) => {
      response?.resume()
      return [response?.statusCode, response?.headers['x-ratelimit-cost']]
    })
    status.catch(() => {})
    return { status, abort: () => request.destroy() }
  }
  return {
    send,
    started,
    names: () => running.map(({ name }) => name),
    /** Finishes the oldest running query. */
    finish: () => running.shift()?.finish(),
  }
}

/** Long enough for requests to arrive and for queries to start. */
const settled = (): Promise<void> => delay(300)

test('expensive queries of one partner run one at a time, those of other partners concurrently, cheap ones immediately', async (t) => {
  const { send, names, finish, started } = await startServer(t)
  for (const name of ['a1', 'a2', 'a3']) {
    send('a', name)
    await delay(20)
  }
  send('b', 'b1')
  send('a', 'cheap', 1)
  await settled()
  assert.deepEqual(names().toSorted(), ['a1', 'b1', 'cheap'])
  finish()
  await settled()
  assert.deepEqual(started.at(-1), 'a2')
})

test('the number of running queries of all partners is limited', async (t) => {
  const { send, names, finish } = await startServer(t)
  for (let index = 0; index < 8; index += 1) send(`partner${index}`, String(index))
  await settled()
  assert.equal(names().length, 4)
  finish()
  await settled()
  assert.equal(names().length, 4)
})

test('beyond eight waiting queries a partner gets 429, which counts as one request', async (t) => {
  const { send } = await startServer(t)
  for (let index = 0; index < 9; index += 1) send('a', String(index))
  await settled()
  assert.deepEqual(await send('a', 'extra').status, [429, '1'])
})

test('without request limits all of them wait, and still run one at a time', async (t) => {
  const { send, names } = await startServer(t, { isRateLimited: false })
  for (let index = 0; index < 20; index += 1) send('a', String(index))
  await settled()
  assert.equal(names().length, 1)
})

test('a query whose client disconnects while it waits is not computed and frees its place', async (t) => {
  const { send, started, finish } = await startServer(t)
  send('a', 'first')
  await delay(50)
  const left = Array.from({ length: 8 }, (_, index) => send('a', `left${index}`))
  await settled()
  for (const { abort } of left) abort()
  await settled()
  const last = send('a', 'last')
  await settled()
  finish()
  await settled()
  assert.deepEqual(started, ['first', 'last'])
  finish()
  assert.deepEqual(await last.status, [200, '2'])
})

test('a query that fails or exceeds the limits makes way for the next', async (t) => {
  const { send, finish, started } = await startServer(t, { perMinute: 10 })
  const names = ['fails', 'second', 'third']
  const queries: ReturnType<typeof send>[] = []
  for (const name of names) {
    queries.push(send('a', name, 3))
    await delay(30)
  }
  assert.deepEqual(await send('a', 'beyond', 3).status, [429, '3'])
  for (const { status } of queries) {
    finish()
    await status
    await settled()
  }
  assert.deepEqual(started, names)
  assert.deepEqual(
    (await Promise.all(queries.map(({ status }) => status))).map(([status]) => status),
    [503, 200, 200],
  )
})
