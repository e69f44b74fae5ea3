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

/** Counters that are always exhausted, or unavailable. */
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
  const isAllowed = async (): Promise<boolean> =>
    getRetryAfterSeconds(await limits.consume(use)) === undefined
  return { clock, state, changes, limits, isAllowed, requests: () => requests }
}

test('the shared counters decide while they are reachable', async () => {
  const { isAllowed, changes } = setUp()
  assert.equal(await isAllowed(), false)
  assert.deepEqual(changes, [])
})

test('while they are unreachable this process counts alone, logs it once, and retries once a second', async () => {
  const { clock, state, changes, isAllowed, requests } = setUp()
  state.isAway = true
  assert.deepEqual([await isAllowed(), await isAllowed(), await isAllowed()], [true, true, false])
  assert.equal(requests(), 1)
  clock.at += 1_000
  await Promise.all([isAllowed(), isAllowed(), isAllowed()])
  assert.equal(requests(), 2)
  assert.deepEqual(changes, ['away'])
})

test('requests in flight when they become unreachable log it once', async () => {
  const { state, changes, isAllowed } = setUp()
  state.isAway = true
  await Promise.all([isAllowed(), isAllowed(), isAllowed()])
  assert.deepEqual(changes, ['away'])
})

test('when they are reachable again they decide', async () => {
  const { clock, state, changes, limits, isAllowed } = setUp()
  state.isAway = true
  await limits.refund(use)
  state.isAway = false
  clock.at += 1_000
  assert.equal(await isAllowed(), false)
  assert.deepEqual(changes, ['away', undefined])
})

test('the shared counters decide on refunds; while they are unreachable this process does', async () => {
  const { clock, state, limits, requests } = setUp()
  const refund = async (): Promise<boolean> => limits.refund(use, { ...use, kind: 'refunds' })
  assert.equal(await refund(), false)
  assert.equal(requests(), 1, 'nothing is refunded beyond the limit')
  state.isAway = true
  clock.at += 1_000
  assert.deepEqual([await refund(), await refund(), await refund()], [true, true, false])
})

test('setting the clock back does not delay the next attempt', async () => {
  const { clock, state, changes, isAllowed } = setUp()
  state.isAway = true
  await isAllowed()
  state.isAway = false
  clock.at -= 3_600_000
  await isAllowed()
  assert.deepEqual(changes, ['away', undefined])
})
