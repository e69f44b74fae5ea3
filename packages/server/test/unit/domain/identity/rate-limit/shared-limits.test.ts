import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inMemoryLimits } from '../../../../../src/domain/identity/rate-limit/in-memory.ts'
import {
  type LimitRequest,
  getRetryAfterSeconds,
} from '../../../../../src/domain/identity/rate-limit/limits.ts'
import { sharedLimits } from '../../../../../src/domain/identity/rate-limit/shared-limits.ts'
import type { SharedCounters } from '../../../../../src/domain/identity/rate-limit/shared-counters.ts'
import { createClock } from '../../../../support/clock.ts'

const use: LimitRequest = { kind: 'requests', key: 'a', windows: [{ limit: 2, ms: 60_000 }] }

/** Counts that are always full, or away. */
function setUp() {
  const clock = createClock()
  const start = clock.at - (clock.at % 60_000)
  let requests = 0
  const state = { isAway: false }
  const answer = async <T>(value: T): Promise<T> => {
    requests += 1
    if (state.isAway) throw new Error('away')
    return value
  }
  const counts: SharedCounters = {
    consume: ({ windows }) =>
      answer({
        now: clock.at,
        windows: windows.map((window) => ({ window, buckets: { start, current: 2, previous: 0 } })),
      }),
    refund: () => answer(undefined),
    async close() {},
  }
  const changes: (string | undefined)[] = []
  const limits = sharedLimits({
    counts,
    own: inMemoryLimits(clock),
    clock,
    onChange: (reason) => changes.push(reason instanceof Error ? reason.message : undefined),
  })
  const isTaken = async (): Promise<boolean> => getRetryAfterSeconds(await limits.consume(use)) === undefined
  return { clock, state, changes, limits, isTaken, requests: () => requests }
}

test('the shared counts decide while they can be reached', async () => {
  const { isTaken, changes } = setUp()
  assert.equal(await isTaken(), false)
  assert.deepEqual(changes, [])
})

test('while they are away this process counts alone, says so once, and asks again once a second', async () => {
  const { clock, state, changes, isTaken, requests } = setUp()
  state.isAway = true
  assert.deepEqual([await isTaken(), await isTaken(), await isTaken()], [true, true, false])
  assert.equal(requests(), 1)
  clock.at += 1_000
  await Promise.all([isTaken(), isTaken(), isTaken()])
  assert.equal(requests(), 2)
  assert.deepEqual(changes, ['away'])
})

test('requests that were under way when they went away tell it once', async () => {
  const { state, changes, isTaken } = setUp()
  state.isAway = true
  await Promise.all([isTaken(), isTaken(), isTaken()])
  assert.deepEqual(changes, ['away'])
})

test('when they are back they decide again', async () => {
  const { clock, state, changes, limits, isTaken } = setUp()
  state.isAway = true
  await limits.refund(use)
  state.isAway = false
  clock.at += 1_000
  assert.equal(await isTaken(), false)
  assert.deepEqual(changes, ['away', undefined])
})

test('a clock set back does not leave them alone for longer', async () => {
  const { clock, state, changes, isTaken } = setUp()
  state.isAway = true
  await isTaken()
  state.isAway = false
  clock.at -= 3_600_000
  await isTaken()
  assert.deepEqual(changes, ['away', undefined])
})
