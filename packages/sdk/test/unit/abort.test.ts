import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import { catchRejection, createDeferred, never, startStub, type Stub } from './stub.ts'

const turnOfTheEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const TURNS = 50

/**
 * Aborts a call as soon as `isUnderWay` holds. No timer runs from then on, so that a call that ends does not wait for
 * one; afterwards all of them run, so that a request that was only postponed is seen.
 */
async function abortWhen(
  stub: Stub,
  isUnderWay: () => boolean,
  call: (signal: AbortSignal) => PromiseLike<unknown>,
): Promise<void> {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const controller = new AbortController()
    const reason = new Error('the user went away')
    const results: unknown[] = []
    void catchRejection(call(controller.signal)).then((error) => results.push(error))
    while (!isUnderWay()) {
      mock.timers.tick(1_000)
      await turnOfTheEventLoop()
    }
    const before = stub.seen.length
    controller.abort(reason)
    for (let turn = 0; turn < TURNS && results.length === 0; turn += 1) await turnOfTheEventLoop()
    assert.deepEqual(results, [reason])
    mock.timers.tick(600_000)
    for (let turn = 0; turn < TURNS; turn += 1) await turnOfTheEventLoop()
    assert.equal(stub.seen.length, before)
  } finally {
    mock.timers.reset()
  }
}

const LIMITED = {
  'x-ratelimit-limit': '1',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-cost': '1',
}

describe('an aborted signal ends', () => {
  test('a stream that is being read, with a deadline too', async () => {
    const stub = startStub(() => ({}))
    const { fetch: stubFetch = fetch } = stub.options
    const portico = stub.create({
      fetch: async (input, init) => {
        if (!(input as string).includes('/export/')) return stubFetch(input, init)
        const body = new ReadableStream({
          start: (stream) => init?.signal?.addEventListener('abort', () => stream.error(init.signal?.reason)),
        })
        return new Response(body)
      },
    })
    const controller = new AbortController()
    const options = { signal: controller.signal, deadlineMs: 60_000 }
    const stream = await portico.site().export.windows({ from: '2026-10-01', to: '2026-11-01' }, options)
    const reason = new Error('the user went away')
    controller.abort(reason)
    assert.equal(await catchRejection(stream.getReader().read()), reason)
  })

  test('a call before it begins', async () => {
    const stub = startStub(() => ({}))
    const reason = new Error('no')
    assert.equal(await catchRejection(stub.create().account({ signal: AbortSignal.abort(reason) })), reason)
    assert.deepEqual([stub.seen.length, stub.tokens], [0, 0])
  })

  test('a try', async () => {
    const stub = startStub(never)
    await abortWhen(
      stub,
      () => stub.seen.length === 1,
      (signal) => stub.create().account({ signal }),
    )
  })

  test('the wait for a token, but not that of other calls', async () => {
    const stub = startStub(() => ({}))
    const token = createDeferred<object>()
    stub.answerToken = () => token.promise
    const portico = stub.create()
    const other = portico.account()
    await abortWhen(
      stub,
      () => stub.tokens === 1,
      (signal) => portico.account({ signal }),
    )
    token.resolve({ body: { access_token: 't', expires_in: 60 } })
    await other
    assert.equal(stub.tokens, 1)
  })

  test('a wait before a retry', async () => {
    const stub = startStub(() => ({ status: 503, headers: { 'retry-after': '60' } }))
    let isWaiting = false
    const portico = stub.create({ onRetry: () => void (isWaiting = true) })
    await abortWhen(
      stub,
      () => isWaiting,
      (signal) => portico.account({ signal }),
    )
  })

  test('a wait for the rate limit', async () => {
    const stub = startStub(() => ({ headers: LIMITED }))
    let isPaused = false
    const portico = stub.create({ onPaused: () => void (isPaused = true) })
    await portico.account()
    await abortWhen(
      stub,
      () => isPaused,
      (signal) => portico.account({ signal }),
    )
  })

  test('the wait for a command', async () => {
    const stub = startStub((_, index) =>
      index === 0 ? { headers: { etag: '"1"' }, body: { state: 'SENT' } } : never(),
    )
    const command = { deviceUuid: 'd', commandUuid: 'c' }
    await abortWhen(
      stub,
      () => stub.seen.length === 2,
      (signal) => stub.create().site().commands.wait(command, { signal }),
    )
  })

  test('the poll for a command', async () => {
    const stub = startStub(() => ({ body: { state: 'SENT' } }))
    const command = { deviceUuid: 'd', commandUuid: 'c' }
    await abortWhen(
      stub,
      () => stub.seen.length >= 4,
      (signal) => stub.create().site().commands.wait(command, { signal }),
    )
  })
})
