import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import {
  type CallOptions,
  ConnectionError,
  NotFoundError,
  Portico,
  type PorticoOptions,
  RateLimitError,
  ServerError,
  TimeoutError,
} from '../../src/index.ts'
import { catchRejection, never, type Stub, type StubAnswer, startStub } from './stub.ts'

/** A server that answers with these first, and then with 200. */
const failing = (...first: (StubAnswer | Error)[]): Stub =>
  startStub((_, index) => {
    const answer = first[index] ?? {}
    if (answer instanceof Error) throw answer
    return answer
  })

/** A real server that closes the connection of every request to `/things` without a response. */
async function startCutting() {
  let cut = 0
  const server = createServer((request, response) => {
    request.resume()
    if (request.url?.startsWith('/v2/things')) {
      cut += 1
      request.socket.destroy()
    } else {
      const body = { access_token: 't', expires_in: 3599 }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { fetch: _stub, ...options } = startStub(() => ({})).options
  const portico = new Portico({ ...options, baseUrl: `${origin}/v2`, authUrl: `${origin}/auth` })
  return {
    /** Number of requests that were cut. */
    cut: () => cut,
    /** Sends a request over a connection that was used before. */
    async send(method: string, body: unknown, options: CallOptions = {}) {
      await portico.account()
      await portico.account()
      return portico.request(method, '/things/1', { body, ...options })
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The waits between the tries of a call. */
async function waitsOf(stub: Stub, options: PorticoOptions = {}): Promise<number[]> {
  const waits: number[] = []
  await stub.create({ ...options, onRetry: ({ waitMs }) => void waits.push(waitMs) }).account()
  return waits
}

describe('a GET is repeated', () => {
  for (const status of [408, 429, 500, 502, 503, 504])
    test(`after ${status}`, async () => {
      const stub = failing({ status })
      assert.equal((await waitsOf(stub)).length, 1)
      assert.equal(stub.seen.length, 2)
    })

  test('after a network error', async () => {
    const stub = failing(new TypeError('fetch failed'))
    await waitsOf(stub)
    assert.equal(stub.seen.length, 2)
  })

  test('after a try that took too long', async () => {
    const stub = startStub((_, index) => (index === 0 ? never() : {}))
    await waitsOf(stub, { timeoutMs: 20 })
    assert.equal(stub.seen.length, 2)
  })

  test('twice at most, after up to 500 ms and up to a second', async () => {
    const stub = failing({ status: 500 }, { status: 500 }, { status: 500 })
    const waits: number[] = []
    const error = await catchRejection(
      stub.create({ onRetry: ({ waitMs }) => void waits.push(waitMs) }).account(),
    )
    assert.ok(error instanceof ServerError)
    assert.equal(stub.seen.length, 3)
    assert.equal(waits.length, 2)
    assert.ok(
      waits.every((wait, index) => wait >= 0 && wait <= 500 * 2 ** index),
      waits.join(),
    )
  })

  test('never after another status', async () => {
    const stub = failing({ status: 404 })
    assert.ok((await catchRejection(stub.create().account())) instanceof NotFoundError)
    assert.equal(stub.seen.length, 1)
  })
})

describe('a DELETE is repeated', () => {
  test('and succeeds if the first attempt, whose response was lost, has deleted the record', async () => {
    const stub = failing(new TypeError('cut'), { status: 404 })
    await stub.create().webhooks.remove('w')
    assert.equal(stub.seen.length, 2)
  })

  test('and succeeds after a gateway error, behind which the record may have been deleted', async () => {
    await failing({ status: 502 }, { status: 404 }).create().webhooks.remove('w')
  })

  test('but not by the runtime, whose second attempt would be answered with 404', async () => {
    await using server = await startCutting()
    await catchRejection(server.send('DELETE', undefined, { maxRetries: 1 }))
    assert.equal(server.cut(), 2)
  })

  test('but a 404 after a rejection is an error', async () => {
    const stub = failing({ status: 429, headers: { 'retry-after': '0' } }, { status: 404 })
    assert.ok((await catchRejection(stub.create().webhooks.remove('w'))) instanceof NotFoundError)
    assert.equal(stub.seen.length, 2)
  })

  test('but a 404 to the first attempt is an error', async () => {
    const stub = failing({ status: 404 })
    assert.ok((await catchRejection(stub.create().webhooks.remove('w'))) instanceof NotFoundError)
  })
})

describe('Retry-After', () => {
  for (const status of [429, 503]) {
    test(`of a ${status} in seconds is the wait`, async () => {
      assert.deepEqual(await waitsOf(failing({ status, headers: { 'retry-after': '1' } })), [1_000])
    })

    test(`of a ${status} as a date is the time until then, on the clock of the server`, async () => {
      const headers = {
        date: 'Tue, 17 Nov 2020 10:00:00 GMT',
        'retry-after': 'Tue, 17 Nov 2020 10:00:01 GMT',
      }
      assert.deepEqual(await waitsOf(failing({ status, headers })), [1_000])
    })

    test(`of a ${status} that is longer than a minute is an error immediately`, async () => {
      const stub = failing({ status, headers: { 'retry-after': '3600' } })
      const error = await catchRejection(stub.create().account())
      const Class = status === 429 ? RateLimitError : ServerError
      assert.ok(error instanceof Class)
      assert.equal(error.retryAfterMs, 3_600_000)
      assert.equal(stub.seen.length, 1)
    })

    test(`of a ${status} that cannot be read is ignored`, async () => {
      const [wait = Infinity] = await waitsOf(failing({ status, headers: { 'retry-after': 'soon' } }))
      assert.ok(wait <= 500)
    })
  }
})

describe('a POST', () => {
  for (const first of [
    { status: 503 },
    { status: 429, headers: { 'retry-after': '0' } },
    new TypeError('cut'),
  ])
    test(`without a key is never repeated: ${first instanceof Error ? 'network' : first.status}`, async () => {
      const stub = failing(first)
      await catchRejection(stub.create().request('POST', '/things', { body: {} }))
      assert.equal(stub.seen.length, 1)
    })

  test('without a key is sent once, even if the connection is closed', async () => {
    await using server = await startCutting()
    for (const body of [{}, Uint8Array.of(1)]) {
      const error = await catchRejection(server.send('POST', body))
      assert.ok(error instanceof ConnectionError)
    }
    assert.equal(server.cut(), 2)
  })

  test('with a key is repeated with the same one', async () => {
    const stub = failing({ status: 503, headers: { 'retry-after': '0' } }, new TypeError('cut'))
    const command = await stub.create().site().devices.schedule('d', { type: 'resume' })
    const keys = stub.seen.map(({ headers }) => headers.get('idempotency-key'))
    assert.deepEqual(
      keys,
      Array.from({ length: 3 }, () => command.idempotencyKey),
    )
    assert.match(command.idempotencyKey, /^[0-9a-f-]{36}$/)
  })

  test('can have a key of the program', async () => {
    const stub = failing()
    const options = { idempotencyKey: 'order-17' }
    const command = await stub.create().site().devices.schedule('d', { type: 'resume' }, options)
    assert.equal(command.idempotencyKey, 'order-17')
    assert.equal(stub.seen[0]?.headers.get('idempotency-key'), 'order-17')
  })
})

describe('limits of a call', () => {
  test('maxRetries: 0 means one request', async () => {
    const stub = failing(new TypeError('other side closed'))
    const error = await catchRejection(stub.create().account({ maxRetries: 0 }))
    assert.ok(error instanceof ConnectionError)
    assert.match(error.message, /other side closed/)
    assert.equal(stub.seen.length, 1)
  })

  test('timeoutMs is for one try', async () => {
    const stub = startStub(never)
    const error = await catchRejection(stub.create({ maxRetries: 1 }).account({ timeoutMs: 10 }))
    assert.ok(error instanceof TimeoutError)
    assert.equal(stub.seen.length, 2)
  })

  test('Infinity is no limit', async () => {
    const stub = failing({ status: 503, headers: { 'retry-after': '0' } })
    await stub.create().account({ timeoutMs: Infinity, deadlineMs: Infinity })
    assert.equal(stub.seen.length, 2)
  })

  test('deadlineMs ends a try', async () => {
    const stub = startStub(never)
    const error = await catchRejection(stub.create().account({ deadlineMs: 20 }))
    assert.ok(error instanceof TimeoutError)
    assert.match(error.message, /deadline of 20 ms/)
    assert.equal(stub.seen.length, 1)
  })

  test('a wait that would exceed deadlineMs does not begin', async () => {
    const stub = failing({ status: 503, headers: { 'retry-after': '30' } })
    const error = await catchRejection(stub.create().account({ deadlineMs: 5_000 }))
    assert.ok(error instanceof ServerError)
    assert.equal(stub.seen.length, 1)
  })
})
