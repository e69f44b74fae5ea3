import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import { CredentialsError, Portico, ServerError, TimeoutError } from '../../src/index.ts'
import { catchRejection, createDeferred, never, skipTime, startStub, type Stub } from './stub.ts'

const many = (count: number, call: () => PromiseLike<unknown>): Promise<PromiseSettledResult<unknown>[]> =>
  Promise.allSettled(Array.from({ length: count }, call))

const fulfilled = (results: PromiseSettledResult<unknown>[]): number =>
  results.filter(({ status }) => status === 'fulfilled').length

const bearer = (stub: Stub): string[] => stub.seen.map(({ headers }) => headers.get('authorization') ?? '')

const WRONG = {
  status: 401,
  body: {
    error: 'invalid_client',
    error_description: 'AADSTS7000215: Invalid client secret provided. Trace ID: 1 Correlation ID: 2',
    error_codes: [7000215],
    trace_id: '3f2a',
  },
}

describe('one token request', () => {
  test('serves 200 simultaneous calls', async () => {
    const stub = startStub(() => ({}))
    const portico = stub.create()
    assert.equal(fulfilled(await many(200, () => portico.account())), 200)
    assert.equal(stub.tokens, 1)
  })

  test('serves ten clients of a process', async () => {
    const stub = startStub(() => ({}))
    await many(10, () => stub.create().account())
    assert.equal(stub.tokens, 1)
    assert.equal(stub.seen.length, 10)
  })

  test('that fails gives each call one error', async () => {
    const stub = startStub(() => ({}))
    stub.answerToken = () => WRONG
    const portico = stub.create()
    const results = await many(50, () => portico.account())
    assert.equal(fulfilled(results), 0)
    assert.equal(stub.tokens, 1)
    assert.equal(stub.seen.length, 0)
  })
})

describe('a 401 of the API', () => {
  test('to 100 calls in flight costs one renewal, and all are answered', async () => {
    const stub = startStub(({ headers }) =>
      headers.get('authorization') === 'Bearer token-0' ? { status: 401 } : {},
    )
    const portico = stub.create()
    assert.equal(fulfilled(await many(100, () => portico.account())), 100)
    assert.equal(stub.tokens, 2)
  })

  test('is followed by one renewal only if that fails', async () => {
    const stub = startStub(() => ({ status: 401 }))
    stub.answerToken = (index) =>
      index === 0 ? { body: { access_token: 'void', expires_in: 3599 } } : { status: 500 }
    const portico = stub.create({ maxRetries: 0 })
    const results = await many(100, () => portico.account())
    assert.equal(fulfilled(results), 0)
    assert.equal(stub.tokens, 2)
  })

  test('after a renewal is a CredentialsError', async () => {
    const stub = startStub(() => ({ status: 401 }))
    const error = await catchRejection(stub.create().account())
    assert.ok(error instanceof CredentialsError)
    assert.equal(stub.seen.length, 2)
    assert.equal(stub.tokens, 2)
  })

  test('repeats a POST without a key too, because the request was not processed', async () => {
    const stub = startStub((_, index) => (index === 0 ? { status: 401 } : {}))
    await stub.create().request('POST', '/things', { body: {} })
    assert.equal(stub.seen.length, 2)
  })
})

describe('wrong credentials', () => {
  test('are an error with the number of the cause and without a retry', async () => {
    const stub = startStub(() => ({}))
    stub.answerToken = () => WRONG
    const error = await catchRejection(stub.create().account())
    assert.ok(error instanceof CredentialsError)
    assert.deepEqual([error.code, error.aadsts, error.status], ['invalid_client', 7000215, 401])
    assert.equal(error.message, 'AADSTS7000215: Invalid client secret provided. (request 3f2a)')
    assert.equal(error.cachedFor, undefined)
  })

  test('are not sent again for 5 seconds', async () => {
    using clock = skipTime()
    const stub = startStub(() => ({}))
    stub.answerToken = () => WRONG
    const portico = stub.create()
    await catchRejection(portico.account())
    clock.by(3_000)
    const error = await catchRejection(portico.account())
    assert.ok(error instanceof CredentialsError && (error.cachedFor ?? 0) >= 3_000)
    assert.equal(error.aadsts, 7000215)
    assert.equal(stub.tokens, 1)
    clock.by(2_001)
    await catchRejection(portico.account())
    assert.equal(stub.tokens, 2)
  })

  test('do not affect a client with another secret', async () => {
    const stub = startStub(() => ({}))
    stub.answerToken = (index) => (index === 0 ? WRONG : { body: { access_token: 't', expires_in: 60 } })
    await catchRejection(stub.create().account())
    await stub.create({ clientSecret: 'the-right-one' }).account()
    assert.equal(stub.tokens, 2)
  })
})

describe('renewal', () => {
  test('happens in the background between 75 and 85 % of the lifetime', async () => {
    using clock = skipTime()
    const stub = startStub(() => ({}))
    const portico = stub.create()
    await portico.account()
    clock.by(0.74 * 3_599_000)
    await portico.account()
    assert.equal(stub.tokens, 1)
    clock.by(0.12 * 3_599_000)
    await portico.account()
    assert.equal(stub.tokens, 2, 'it has started')
    await portico.account()
    assert.deepEqual(bearer(stub), ['Bearer token-0', 'Bearer token-0', 'Bearer token-0', 'Bearer token-1'])
  })

  test('that fails leaves the token in use until it expires', async () => {
    using clock = skipTime()
    const stub = startStub(() => ({}))
    stub.answerToken = (index) =>
      index === 0 ? { body: { access_token: 'first', expires_in: 3599 } } : { status: 500 }
    const portico = stub.create({ maxRetries: 0 })
    await portico.account()
    clock.by(0.9 * 3_599_000)
    await portico.account()
    await portico.account()
    assert.deepEqual(bearer(stub), ['Bearer first', 'Bearer first', 'Bearer first'])
    clock.by(0.2 * 3_599_000)
    assert.ok((await catchRejection(portico.account())) instanceof ServerError)
  })

  test('does not store a token that was requested before another was dropped', async () => {
    using clock = skipTime()
    const renewal = createDeferred<{ body: unknown }>()
    const stub = startStub(({ headers }, index) =>
      index > 0 && headers.get('authorization') !== 'Bearer fresh' ? { status: 401 } : {},
    )
    stub.answerToken = (index) =>
      [
        { body: { access_token: 'first', expires_in: 3599 } },
        renewal.promise,
        { body: { access_token: 'fresh', expires_in: 3599 } },
      ][index] ?? { status: 500 }
    const portico = stub.create()
    await portico.account()
    clock.by(0.9 * 3_599_000)
    // Starts the renewal, is rejected, drops the token and gets another, one request after the other.
    const call = portico.account()
    while (stub.seen.length < 2) await new Promise(setImmediate)
    await new Promise(setImmediate)
    assert.equal(stub.tokens, 2)
    renewal.resolve({ body: { access_token: 'late', expires_in: 3599 } })
    await call
    await portico.account()
    assert.deepEqual(bearer(stub), ['Bearer first', 'Bearer first', 'Bearer fresh', 'Bearer fresh'])
  })

  test('does not depend on the date of the machine', async () => {
    const stub = startStub(() => ({}))
    const mocked = mock.method(Date, 'now', () => 0)
    try {
      const portico = stub.create()
      await portico.account()
      mocked.mock.mockImplementation(() => 4e12)
      await portico.account()
    } finally {
      mocked.mock.restore()
    }
    assert.equal(stub.tokens, 1)
  })
})

test('a token is requested with the `fetch` of the client that needs it', async () => {
  const stub = startStub(() => ({}))
  stub.create({ fetch: () => assert.fail('this client sends nothing') })
  await stub.create().account()
  assert.equal(stub.tokens, 1)
})

test('a call waits for a token no longer than its attempts may take', async () => {
  const stub = startStub(() => ({}))
  stub.answerToken = never
  const error = await catchRejection(stub.create().account({ timeoutMs: 20, maxRetries: 1 }))
  assert.ok(error instanceof TimeoutError)
  assert.match(error.message, /No token .* within 40 ms/)
})

test('a function can supply the tokens', async () => {
  const stub = startStub((_, index) => (index === 1 ? { status: 401 } : {}))
  const { clientId: _id, clientSecret: _secret, authUrl: _url, ...rest } = stub.options
  let calls = 0
  const portico = new Portico({ ...rest, token: async () => `own-${calls++}` })
  await portico.account()
  await portico.account()
  assert.deepEqual(bearer(stub), ['Bearer own-0', 'Bearer own-1', 'Bearer own-2'])
})
