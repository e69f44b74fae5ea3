import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { catchRejection, never, type Stub, startStub } from './stub.ts'

/** Aborts a call as soon as `isUnderWay` holds; checks that it ends at once and sends nothing more. */
async function abortWhen(
  stub: Stub,
  isUnderWay: () => boolean,
  call: (signal: AbortSignal) => PromiseLike<unknown>,
): Promise<void> {
  const controller = new AbortController()
  const reason = new Error('the user went away')
  const ended = catchRejection(call(controller.signal))
  while (!isUnderWay()) await delay(1)
  const before = stub.seen.length
  controller.abort(reason)
  // Far less than the minute that the call would wait.
  const result = await Promise.race([ended, delay(5_000, 'still waiting', { ref: false })])
  assert.equal(result, reason)
  await delay(20)
  assert.equal(stub.seen.length, before)
}

const LIMITED = {
  'x-ratelimit-limit': '1',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-cost': '1',
}

describe('an aborted signal ends', () => {
  test('a call before it begins', async () => {
    const stub = startStub(() => ({}))
    const reason = new Error('no')
    assert.equal(await catchRejection(stub.create().account({ signal: AbortSignal.abort(reason) })), reason)
    assert.equal(stub.seen.length, 0)
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
    const token = Promise.withResolvers<object>()
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
