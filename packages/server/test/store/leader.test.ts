import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createLeases, runAsLeader } from '../../src/domain/coordination/leases.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { migratedDatabase } from '../support/postgres.ts'

test('leadership passes to another instance when the leader stops', async (t) => {
  const database = await migratedDatabase(t)
  const running: string[] = []
  const instance = (name: string) =>
    runAsLeader(
      createLeases(database.open().shared?.leases ?? assert.fail(), systemClock),
      'work',
      async () => {
        running.push(name)
        return async () => void running.splice(running.indexOf(name), 1)
      },
      assert.ifError,
    )
  const first = instance('first')
  while (running.length === 0) await delay(10)
  const second = instance('second')
  await delay(500)
  assert.deepEqual(running, ['first'])
  await first.stop()
  while (running.length === 0) await delay(10)
  assert.deepEqual(running, ['second'])
  await second.stop()
  assert.deepEqual(running, [])
})
