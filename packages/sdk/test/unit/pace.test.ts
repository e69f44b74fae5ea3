import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ConflictError, RateLimitError, TimeoutError } from '../../src/index.ts'
import { catchRejection, never, skipTime, type Stub, type StubAnswer, startStub } from './stub.ts'

const headersFor = (limit: number, remaining: number): Record<string, string> => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-cost': '1',
})

interface Limited extends Stub {
  /** Rejections by path. */
  rejected: Map<string, number>
  mostInFlight: number
}

/** A server that accepts some requests immediately and `perSecond` more; its headers claim a limit of that rate. */
function startLimited(atOnce: number, perSecond: number, latency: () => number = () => 1): Limited {
  let [tokens, at] = [atOnce, performance.now()]
  let inFlight = 0
  const limited: Limited = Object.assign(
    startStub(async ({ path }): Promise<StubAnswer> => {
      inFlight += 1
      limited.mostInFlight = Math.max(limited.mostInFlight, inFlight)
      await delay(latency())
      inFlight -= 1
      const present = performance.now()
      tokens = Math.min(atOnce, tokens + ((present - at) / 1000) * perSecond)
      at = present
      const headers = headersFor(perSecond * 60, Math.max(0, Math.floor(tokens - 1)))
      if (tokens < 1) {
        limited.rejected.set(path, (limited.rejected.get(path) ?? 0) + 1)
        return { status: 429, headers: { ...headers, 'retry-after': '1' } }
      }
      tokens -= 1
      return { headers }
    }),
    { rejected: new Map<string, number>(), mostInFlight: 0 },
  )
  return limited
}

describe('pacing', () => {
  test('331 calls at once all succeed where 180 are allowed, and none is rejected twice', async () => {
    const stub = startLimited(180, 200)
    const portico = stub.create()
    await Promise.all(Array.from({ length: 331 }, (_, index) => portico.request('GET', `/things/${index}`)))
    assert.ok([...stub.rejected.values()].every((count) => count === 1))
    assert.ok(stub.rejected.size < 20, `${stub.rejected.size} calls were rejected`)
  })

  test('requests that reach the server in another order are not rejected either', async () => {
    // The request that is counted first is often the one that was sent last, while all others are still under way.
    let sent = 0
    const stub = startLimited(180, 200, () => 60 - (sent++ % 50))
    const portico = stub.create()
    await Promise.all(Array.from({ length: 331 }, (_, index) => portico.request('GET', `/things/${index}`)))
    assert.ok([...stub.rejected.values()].every((count) => count === 1))
    assert.ok(stub.rejected.size < 20, `${stub.rejected.size} calls were rejected`)
  })

  test('requests that the server holds do not delay others', async () => {
    using clock = skipTime()
    const stub = startStub(({ path }) => (path === '/held' ? never() : { headers: headersFor(180, 50) }))
    const portico = stub.create({ onPaused: () => assert.fail('paused') })
    await portico.account()
    const controller = new AbortController()
    const { signal } = controller
    const held = Array.from({ length: 50 }, async () => portico.request('GET', '/held', { signal }))
    while (stub.seen.length < 51) await delay(1)
    clock.by(3_000)
    await portico.account()
    await portico.account()
    controller.abort()
    await Promise.allSettled(held)
  })

  test('without it, calls are rejected', async () => {
    const stub = startLimited(10, 0.001)
    const portico = stub.create({ pace: false, maxRetries: 0 })
    const calls = Array.from({ length: 30 }, () => portico.account())
    const results = await Promise.allSettled(calls)
    assert.equal(results.filter(({ status }) => status === 'rejected').length, 20)
  })

  test('without limits, calls are not held back after the first response', async () => {
    let inFlight = 0
    let most = 0
    const stub = startStub(async () => {
      inFlight += 1
      most = Math.max(most, inFlight)
      await delay(5)
      inFlight -= 1
      return {}
    })
    const portico = stub.create()
    await portico.account()
    await Promise.all(Array.from({ length: 100 }, () => portico.account()))
    assert.equal(most, 100)
  })

  test('is shared by the clients of a process, and separate for each site', async () => {
    const stub = startStub(() => ({ headers: headersFor(1, 0), body: { data: [], pagination: {} } }))
    const paused: (string | undefined)[] = []
    const onPaused = ({ siteId }: { siteId: string | undefined }): void => void paused.push(siteId)
    const other = '00000000-0000-4000-8000-000000000000'
    await stub.create().site().spaces.list().page()
    await stub.create({ onPaused }).site(other).spaces.list().page()
    assert.deepEqual(paused, [])
    const waiting = stub.create({ onPaused }).site().spaces.list({}, { deadlineMs: 30 }).page()
    assert.ok((await catchRejection(waiting)) instanceof TimeoutError)
    assert.equal(paused.length, 1)
    assert.equal(stub.seen.length, 2)
  })

  test('a 429 pauses the other calls of the site for its Retry-After, however long', async () => {
    const headers = { ...headersFor(180, 0), 'retry-after': '120' }
    const stub = startStub(() => ({ status: 429, headers }))
    const waits: number[] = []
    const portico = stub.create({ onPaused: ({ waitMs }) => void waits.push(waitMs) })
    const first = await catchRejection(portico.account({ maxRetries: 0 }))
    assert.ok(first instanceof RateLimitError)
    assert.equal(first.retryAfterMs, 120_000)
    const second = await catchRejection(portico.account({ deadlineMs: 50 }))
    assert.ok(second instanceof TimeoutError, 'it waits, and does not fail immediately')
    assert.equal(stub.seen.length, 1)
    assert.ok((waits[0] ?? 0) > 100_000)
  })

  test('a 429 about a device holds no other call back', async () => {
    const stub = startStub((_, index) =>
      index === 0
        ? { status: 429, headers: { ...headersFor(180, 170), 'retry-after': '3600' } }
        : index === 1
          ? { status: 409, headers: headersFor(180, 169) }
          : { headers: headersFor(180, 168) },
    )
    const portico = stub.create({ onPaused: () => assert.fail('paused') })
    assert.ok((await catchRejection(portico.account())) instanceof RateLimitError)
    assert.ok((await catchRejection(portico.account())) instanceof ConflictError)
    await portico.account()
  })

  test('calls that fail without a response do not use up the pace', async () => {
    const stub = startStub((_, index) => {
      if (index < 40) throw new TypeError('cut')
      return { headers: headersFor(180, 100) }
    })
    const portico = stub.create({ maxRetries: 0 })
    await Promise.allSettled(Array.from({ length: 40 }, () => portico.account()))
    await Promise.all(Array.from({ length: 40 }, () => portico.account()))
    assert.equal(stub.seen.length, 80)
  })
})
