import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import type { LimitRequest } from '../../src/domain/identity/rate-limit/limits.ts'
import { postgresCounters } from '../../src/store/postgres/cluster/rate-limit-counters.ts'
import { findFreePort } from '../support/free-port.ts'
import { migratedDatabase, type TestDatabase } from '../support/postgres.ts'

const MINUTE = 60_000
/** The beginning of a minute, and of five. */
const START = Date.parse('2026-11-15T12:00:00Z')
const use: LimitRequest = {
  kind: 'requests',
  key: 'partner site',
  windows: [
    { limit: 100, ms: MINUTE },
    { limit: 400, ms: 5 * MINUTE },
  ],
}

describe('counts in PostgreSQL', () => {
  /** An instance whose clock stands where the test puts it. */
  const instance = async (t: TestContext, { url }: TestDatabase) => {
    let now = START
    const counts = postgresCounters(url, { now: () => now })
    t.after(() => counts.close())
    const isConnected = (): Promise<boolean> =>
      counts.consume({ ...use, key: 'connected' }).then(
        () => true,
        () => false,
      )
    while (!(await isConnected()));
    return async (at: number) => {
      now = at
      const { windows } = await counts.consume(use)
      return windows.map(({ buckets: { start, current, previous } }) => [start - START, current, previous])
    }
  }

  test('an instance whose clock is a little behind loses nothing of what others have counted', async (t) => {
    const database = await migratedDatabase(t)
    const one = await instance(t, database)
    const behind = await instance(t, database)
    await one(START + MINUTE - 10)
    assert.deepEqual(await one(START + MINUTE + 5), [
      [MINUTE, 0, 1],
      [0, 1, 0],
    ])
    assert.deepEqual(await behind(START + MINUTE - 5), [
      [MINUTE, 1, 1],
      [0, 2, 0],
    ])
    assert.deepEqual(await one(START + MINUTE + 10), [
      [MINUTE, 2, 1],
      [0, 3, 0],
    ])
  })

  test('a clock that was far ahead does not stop the time of a key', async (t) => {
    const database = await migratedDatabase(t)
    const ahead = await instance(t, database)
    const one = await instance(t, database)
    await ahead(START + 60 * MINUTE)
    assert.deepEqual(await one(START), [
      [0, 0, 0],
      [0, 0, 0],
    ])
  })

  test('what no window covers any more is cleaned up', async (t) => {
    const database = await migratedDatabase(t)
    const count = await instance(t, database)
    const rows = async (): Promise<number> =>
      (await database.connect()`SELECT FROM rate_limit_counters WHERE key LIKE '%partner site'`).length
    await count(Date.now())
    await database.open().runMaintenance()
    assert.equal(await rows(), 1)
    await count(START - 365 * 86_400_000)
    await database.open().runMaintenance()
    assert.equal(await rows(), 0)
  })

  test('a PostgreSQL that is not there fails soon instead of waiting', async (t) => {
    const url = `postgres://portico@127.0.0.1:${await findFreePort()}/portico`
    const counts = postgresCounters(url, { now: () => START })
    t.after(() => counts.close())
    await assert.rejects(counts.consume(use))
  })
})
