import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPendingConnections } from '../../../../src/mqtt/brokers/pending-connections.ts'

function createFixture() {
  const pending = createPendingConnections()
  const closed: string[] = []
  return {
    closed,
    add: (address: string, name: string) => pending.add(address, () => closed.push(name)),
  }
}

test('100 connections of one address may wait to sign on; beyond that the oldest one is closed', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { add, closed } = createFixture()
  for (let index = 0; index < 102; index += 1) add('10.0.0.1', `first ${index}`)
  add('10.0.0.2', 'second')
  assert.deepEqual(closed, ['first 0', 'first 1'])
})

test('1,000 connections of all addresses may wait, and those that have signed on do not count', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { add, closed } = createFixture()
  const leave = add('10.0.0.0', 'signed on')
  for (let index = 0; index < 999; index += 1) add(`10.1.${index}`, String(index))
  leave()
  leave()
  add('10.2.0.1', 'a')
  assert.deepEqual(closed, [])
  add('10.2.0.2', 'b')
  assert.deepEqual(closed, ['0'])
})

test('a connection that has not signed on is closed after five seconds', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { add, closed } = createFixture()
  add('10.0.0.1', 'slow')
  add('10.0.0.1', 'quick')()
  t.mock.timers.tick(4_999)
  assert.deepEqual(closed, [])
  t.mock.timers.tick(1)
  assert.deepEqual(closed, ['slow'])
})
