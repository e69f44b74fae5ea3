import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inMemoryLimits } from '../../../../../src/domain/identity/rate-limit/in-memory.ts'
import {
  type Limits,
  type LimitRequest,
  type LimitVerdict,
  getRetryAfterSeconds,
} from '../../../../../src/domain/identity/rate-limit/limits.ts'
import { createClock } from '../../../../support/clock.ts'

const MINUTE_MS = 60_000
const START = Date.UTC(2026, 0, 1)

const use = (limit: number, more: Partial<LimitRequest> = {}): LimitRequest => ({
  kind: 'requests',
  key: 'a',
  windows: [{ limit, ms: MINUTE_MS }],
  ...more,
})

const isAllowed = async (limits: Limits, one: LimitRequest): Promise<boolean> =>
  getRetryAfterSeconds(await limits.consume(one)) === undefined

async function countAllowed(limits: Limits, one: LimitRequest, tries: number): Promise<number> {
  let taken = 0
  for (let index = 0; index < tries; index += 1) if (await isAllowed(limits, one)) taken += 1
  return taken
}

const remaining = (verdicts: LimitVerdict[]): (number | undefined)[] =>
  verdicts.map((verdict) => (verdict.allowed ? verdict.remaining : undefined))

test('exactly the limit passes in an empty window', async () => {
  assert.equal(await countAllowed(inMemoryLimits(createClock(START)), use(3), 4), 3)
})

test('each key and each limit kind is counted separately', async () => {
  const limits = inMemoryLimits(createClock(START))
  for (const one of [use(1), use(1, { key: 'b' }), use(1, { kind: 'tokens' })]) {
    assert.ok(await isAllowed(limits, one))
    assert.equal(await isAllowed(limits, one), false)
  }
})

test('keys of one kind do not evict those of another', async () => {
  const limits = inMemoryLimits(createClock(START), 10)
  await limits.consume(use(1))
  for (let index = 0; index < 20; index += 1)
    await limits.consume(use(1, { kind: 'wrong-secrets', key: String(index) }))
  assert.equal(await isAllowed(limits, use(1)), false)
})

test('a use rejected by one window is counted in none', async () => {
  const limits = inMemoryLimits(createClock(START))
  const windows = [
    { limit: 2, ms: MINUTE_MS },
    { limit: 10, ms: 5 * MINUTE_MS },
  ]
  for (let index = 0; index < 8; index += 1) await limits.consume(use(0, { windows }))
  assert.deepEqual(remaining(await limits.consume(use(0, { windows }))), [undefined, 7])
})

test('a use consumes its cost from every window, or nothing from any', async () => {
  const limits = inMemoryLimits(createClock(START))
  const windows = [
    { limit: 10, ms: MINUTE_MS },
    { limit: 12, ms: 5 * MINUTE_MS },
  ]
  assert.deepEqual(remaining(await limits.consume(use(0, { windows, cost: 7 }))), [3, 5])
  const refused = await limits.consume(use(0, { windows, cost: 4 }))
  assert.deepEqual(
    refused.map(({ allowed, remaining: left }) => [allowed, left]),
    [
      [false, 3],
      [true, 1],
    ],
  )
  assert.deepEqual(remaining(await limits.consume(use(0, { windows, cost: 3 }))), [0, 2])
})

test('a refund returns the cost, and never more than was consumed', async () => {
  const limits = inMemoryLimits(createClock(START))
  await limits.consume(use(10, { cost: 8 }))
  await limits.refund(use(10, { cost: 3 }))
  assert.deepEqual(remaining(await limits.consume(use(10, { cost: 4 }))), [1])
  await limits.refund(use(10, { cost: 100 }))
  assert.deepEqual(remaining(await limits.consume(use(10))), [9])
})

test('a refund is available again', async () => {
  const limits = inMemoryLimits(createClock(START))
  assert.deepEqual(remaining(await limits.consume(use(2))), [1])
  await limits.refund(use(2))
  assert.deepEqual(remaining(await limits.consume(use(2))), [1])
})

test('refunding more than was consumed does not raise the limit', async () => {
  const limits = inMemoryLimits(createClock(START))
  for (let index = 0; index < 3; index += 1) await limits.refund(use(2))
  assert.equal(await countAllowed(limits, use(2), 5), 2)
})

test('refunds have a limit of their own, of which a refund consumes its cost', async () => {
  const limits = inMemoryLimits(createClock(START))
  const refunds = use(5, { kind: 'refunds', cost: 2 })
  await limits.consume(use(10, { cost: 10 }))
  const refund = async (): Promise<boolean> => limits.refund(use(10, { cost: 2 }), refunds)
  assert.deepEqual([await refund(), await refund(), await refund()], [true, true, false])
  assert.deepEqual(remaining(await limits.consume(use(10))), [3])
  assert.deepEqual(remaining(await limits.consume(use(5, { kind: 'refunds' }))), [0])
})

test('the previous bucket counts in proportion to the part that the window still covers', async () => {
  const clock = createClock(START)
  const limits = inMemoryLimits(clock)
  await countAllowed(limits, use(10), 10)
  clock.at += MINUTE_MS * 1.5
  assert.equal(await countAllowed(limits, use(10), 10), 5)
})

test('a caller that waits for Retry-After succeeds, and one a second earlier does not', async () => {
  const steps = fc.array(fc.record({ waitMs: fc.integer({ min: 0, max: 40_000 }), takes: fc.nat(8) }), {
    maxLength: 20,
  })
  const limitAndCost = fc
    .integer({ min: 1, max: 12 })
    .chain((limit) => fc.tuple(fc.constant(limit), fc.integer({ min: 1, max: limit })))
  await fc.assert(
    fc.asyncProperty(limitAndCost, steps, async ([limit, cost], drawn) => {
      const clock = createClock(START)
      const limits = inMemoryLimits(clock)
      for (const { waitMs, takes } of drawn) {
        clock.at += waitMs
        await countAllowed(limits, use(limit), takes)
      }
      const costly = use(limit, { cost })
      const wait = getRetryAfterSeconds(await limits.consume(costly))
      if (wait === undefined) return
      assert.ok(wait >= 1)
      if (wait > 1) {
        clock.at += (wait - 1) * 1000
        assert.equal(await isAllowed(limits, costly), false)
      }
      clock.at += 1000
      assert.ok(await isAllowed(limits, costly))
    }),
  )
})

test('setting the clock back rejects no caller that has not used up the window', async () => {
  const clock = createClock(START)
  const limits = inMemoryLimits(clock)
  await limits.consume(use(1))
  clock.at -= 10 * MINUTE_MS
  assert.ok(await isAllowed(limits, use(1)))
})
