import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SlidingWindow } from '../../../src/lib/sliding-window.ts'
import { createClock } from '../../support/clock.ts'

const WINDOW_MS = 60_000
const START = Date.UTC(2026, 0, 1)

test('exactly the limit passes in an empty window', () => {
  const window = new SlidingWindow({ limit: 3, windowMs: WINDOW_MS, clock: createClock(START) })
  const verdicts = [1, 2, 3, 4].map(() => window.take('a').allowed)
  assert.deepEqual(verdicts, [true, true, true, false])
})

test('each key is counted on its own', () => {
  const window = new SlidingWindow({ limit: 1, windowMs: WINDOW_MS, clock: createClock(START) })
  assert.ok(window.take('a').allowed)
  assert.ok(window.take('b').allowed)
})

test('the bucket before counts in proportion to what the window still covers of it', () => {
  const clock = createClock(START)
  const window = new SlidingWindow({ limit: 10, windowMs: WINDOW_MS, clock })
  for (let index = 0; index < 10; index += 1) window.take('a')
  clock.at += WINDOW_MS * 1.5
  const passed = Array.from({ length: 10 }, () => window.take('a').allowed).filter(Boolean).length
  assert.equal(passed, 5)
})

test('whoever waits as told gets through, and a second earlier nobody does', () => {
  const steps = fc.array(fc.record({ waitMs: fc.integer({ min: 0, max: 40_000 }), takes: fc.nat(8) }), {
    maxLength: 20,
  })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), steps, (limit, drawn) => {
      const clock = createClock(START)
      const window = new SlidingWindow({ limit, windowMs: WINDOW_MS, clock })
      for (const { waitMs, takes } of drawn) {
        clock.at += waitMs
        for (let index = 0; index < takes; index += 1) window.take('a')
      }
      const verdict = window.take('a')
      if (verdict.allowed) return
      assert.ok(verdict.retryAfterSeconds >= 1)
      if (verdict.retryAfterSeconds > 1) {
        clock.at += (verdict.retryAfterSeconds - 1) * 1000
        assert.equal(window.take('a').allowed, false)
        clock.at += 1000
      } else clock.at += 1000
      assert.ok(window.take('a').allowed)
    }),
  )
})

test('a clock set back refuses nobody who has not used the window up', () => {
  const clock = createClock(START)
  const window = new SlidingWindow({ limit: 1, windowMs: WINDOW_MS, clock })
  window.take('a')
  clock.at -= 10 * WINDOW_MS
  assert.ok(window.take('a').allowed)
})
