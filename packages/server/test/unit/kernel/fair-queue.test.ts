import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTick } from 'node:timers/promises'
import { createFairQueue, type FairQueue, type Ticket } from '../../../src/kernel/fair-queue.ts'

/** Enters the queue and records the name when the turn comes. */
function enter(queue: FairQueue, key: string, name: string, started: string[]): Ticket {
  const ticket = queue.enter(key) ?? assert.fail(`${name} was not admitted`)
  void ticket.turn.then(() => started.push(name))
  return ticket
}

test('tasks of one key run one after another, in their order', async () => {
  const queue = createFairQueue({ maxRunning: 4, maxWaitingPerKey: 8 })
  const started: string[] = []
  const tickets = ['a1', 'a2', 'a3'].map((name) => enter(queue, 'a', name, started))
  for (let count = 1; count <= 3; count += 1) {
    await nextTick()
    assert.deepEqual(started, ['a1', 'a2', 'a3'].slice(0, count))
    tickets[count - 1]?.leave()
  }
})

test('a limited number of keys run at the same time, and the others take turns', async () => {
  const queue = createFairQueue({ maxRunning: 2, maxWaitingPerKey: 8 })
  const started: string[] = []
  const names = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'd1']
  const tickets = new Map(names.map((name) => [name, enter(queue, name.charAt(0), name, started)]))
  await nextTick()
  assert.deepEqual(started, ['a1', 'b1'])
  for (const name of ['a1', 'b1', 'c1', 'd1', 'a2', 'b2']) {
    tickets.get(name)?.leave()
    await nextTick()
  }
  assert.deepEqual(started, ['a1', 'b1', 'c1', 'd1', 'a2', 'b2', 'a3'])
})

test('a key with the maximum of waiting tasks is rejected, another one is not', () => {
  const queue = createFairQueue({ maxRunning: 4, maxWaitingPerKey: 2 })
  const tickets = Array.from({ length: 3 }, () => queue.enter('a'))
  assert.equal(queue.enter('a'), undefined)
  assert.ok(queue.enter('b'))
  tickets[0]?.leave()
  assert.ok(queue.enter('a'))
})

test('a task that is abandoned while it waits never runs and frees its place', async () => {
  const queue = createFairQueue({ maxRunning: 1, maxWaitingPerKey: 1 })
  const started: string[] = []
  const first = enter(queue, 'a', 'first', started)
  const abandoned = enter(queue, 'a', 'abandoned', started)
  abandoned.leave()
  const last = enter(queue, 'a', 'last', started)
  first.leave()
  first.leave()
  await nextTick()
  assert.deepEqual(started, ['first', 'last'])
  last.leave()
  enter(queue, 'b', 'other', started)
  await nextTick()
  assert.deepEqual(started, ['first', 'last', 'other'])
})

test('with a bound of zero waiting tasks, one can still run', () => {
  const queue = createFairQueue({ maxRunning: 1, maxWaitingPerKey: 0 })
  const ticket = queue.enter('a')
  assert.ok(ticket)
  assert.equal(queue.enter('b'), undefined)
  ticket.leave()
  assert.ok(queue.enter('b'))
})
