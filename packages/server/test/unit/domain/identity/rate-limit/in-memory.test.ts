import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { inMemoryLimits } from '../../../../../src/domain/identity/rate-limit/in-memory.ts'
import {
  type Limits,
  type LimitRequest,
  type LimitDecision,
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

const isTaken = async (limits: Limits, one: LimitRequest): Promise<boolean> =>
  getRetryAfterSeconds(await limits.consume(one)) === undefined

async function countTaken(limits: Limits, one: LimitRequest, tries: number): Promise<number> {
  let taken = 0
  for (let index = 0; index < tries; index += 1) if (await isTaken(limits, one)) taken += 1
  return taken
}

const remaining = (verdicts: LimitDecision[]): (number | undefined)[] =>
  verdicts.map((verdict) => (verdict.allowed ? verdict.remaining : undefined))

test('exactly the limit passes in an empty window', async () => {
  assert.equal(await countTaken(inMemoryLimits(createClock(START)), use(3), 4), 3)
})

test('each key and each thing that is limited is counted on its own', async () => {
  const limits = inMemoryLimits(createClock(START))
  for (const one of [use(1), use(1, { key: 'b' }), use(1, { kind: 'tokens' })]) {
    assert.ok(await isTaken(limits, one))
    assert.equal(await isTaken(limits, one), false)
  }
})

test('keys of one kind do not push out those of another', async () => {
  const limits = inMemoryLimits(createClock(START), 10)
  await limits.consume(use(1))
  for (let index = 0; index < 20; index += 1)
    await limits.consume(use(1, { kind: 'wrong-secrets', key: String(index) }))
  assert.equal(await isTaken(limits, use(1)), false)
})

test('what one window refuses is counted in none', async () => {
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

test('what is given back is there again', async () => {
  const limits = inMemoryLimits(createClock(START))
  assert.deepEqual(remaining(await limits.consume(use(2))), [1])
  await limits.refund(use(2))
  assert.deepEqual(remaining(await limits.consume(use(2))), [1])
})

test('giving back more than was taken makes no room', async () => {
  const limits = inMemoryLimits(createClock(START))
  for (let index = 0; index < 3; index += 1) await limits.refund(use(2))
  assert.equal(await countTaken(limits, use(2), 5), 2)
})

test('the bucket before counts in proportion to what the window still covers of it', async () => {
  const clock = createClock(START)
  const limits = inMemoryLimits(clock)
  await countTaken(limits, use(10), 10)
  clock.at += MINUTE_MS * 1.5
  assert.equal(await countTaken(limits, use(10), 10), 5)
})

test('whoever waits as told gets through, and a second earlier nobody does', async () => {
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
        await countTaken(limits, use(limit), takes)
      }
      const costly = use(limit, { cost })
      const wait = getRetryAfterSeconds(await limits.consume(costly))
      if (wait === undefined) return
      assert.ok(wait >= 1)
      if (wait > 1) {
        clock.at += (wait - 1) * 1000
        assert.equal(await isTaken(limits, costly), false)
      }
      clock.at += 1000
      assert.ok(await isTaken(limits, costly))
    }),
  )
})

test('a clock set back refuses nobody who has not used the window up', async () => {
  const clock = createClock(START)
  const limits = inMemoryLimits(clock)
  await limits.consume(use(1))
  clock.at -= 10 * MINUTE_MS
  assert.ok(await isTaken(limits, use(1)))
})
