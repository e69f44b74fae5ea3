import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { withLease, createLeases } from '../../src/domain/coordination/leases.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { migratedDatabase } from '../support/postgres.ts'

test('work under a lease never runs in two instances concurrently, also when one fails', async (t) => {
  const database = await migratedDatabase(t)
  let running = 0
  const turns = [1, 2, 3].map((number) => {
    const leases = createLeases(database.open().shared?.leases ?? assert.fail(), systemClock)
    const work = async (): Promise<number> => {
      running += 1
      await delay(100)
      assert.equal(running, 1)
      running -= 1
      if (number === 2) throw new Error('two')
      return number
    }
    return withLease(leases, 'work', work, assert.ifError)
  })
  const results = await Promise.allSettled(turns)
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason))),
    [1, 'Error: two', 3],
  )
})
