import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { stopwatch } from '../../../src/kernel/clock.ts'
import { forEachInChunks } from '../../../src/kernel/concurrency.ts'
import { SLICE_MS, yieldIfDue } from '../../../src/kernel/time-slice.ts'

function keepBusy(ms: number): void {
  const until = stopwatch() + ms
  while (stopwatch() < until);
}

/** A computation of several steps. */
async function compute(steps: number, stepMs: number): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    keepBusy(stepMs)
    await yieldIfDue()
  }
}

describe('a long computation', () => {
  test('does not wait while its slice has time left', async (t) => {
    // Stopped, because on a busy machine the slice could end between two calls.
    let now = 1_000
    t.mock.method(performance, 'now', () => now)
    await nextTurn()
    assert.equal(yieldIfDue(), undefined)
    now += SLICE_MS - 1
    assert.equal(yieldIfDue(), undefined)
    now += 1
    const due = yieldIfDue()
    assert.ok(due)
    await due
    assert.equal(yieldIfDue(), undefined)
  })

  test('continues in the same turn as those that wait before it, if they take less than a slice', async (t) => {
    let now = 1_000
    t.mock.method(performance, 'now', () => now)
    await nextTurn()
    void yieldIfDue()
    now += SLICE_MS
    const continued: string[] = []
    const wait = async (name: string, ms: number): Promise<void> => {
      await yieldIfDue()
      continued.push(name)
      now += ms
    }
    const [brief, long] = [SLICE_MS / 4, SLICE_MS]
    const all = Promise.all([wait('a', brief), wait('b', brief), wait('c', long), wait('d', brief)])
    await nextTurn()
    assert.deepEqual(continued, ['a', 'b', 'c'])
    await all
    assert.deepEqual(continued, ['a', 'b', 'c', 'd'])
  })

  test('lets other work run between its slices, however many computations run at the same time', async () => {
    await nextTurn()
    let isDone = false
    let turns = 0
    const count = (): void => {
      turns += 1
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    const [concurrent, steps] = [5, 8]
    await Promise.all(Array.from({ length: concurrent }, () => compute(steps, SLICE_MS)))
    isDone = true
    // Each turn runs one slice of one or two steps; running all five in each turn would need only eight turns.
    assert.ok(turns >= (concurrent * steps) / 3, `${turns} turns`)
  })
})

test('items are passed on in order, and no more than one chunk is loaded at a time', async () => {
  let loading = 0
  let most = 0
  const seen: string[] = []
  await forEachInChunks(
    ['a', 'b', 'c', 'd', 'e'],
    2,
    async (item) => {
      most = Math.max(most, ++loading)
      await nextTurn()
      loading -= 1
      return item.toUpperCase()
    },
    (result, item, index) => seen.push(`${index}${item}${result}`),
  )
  assert.deepEqual(seen, ['0aA', '1bB', '2cC', '3dD', '4eE'])
  assert.equal(most, 2)
})
