import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import type { LimitRequest } from '../../src/domain/identity/rate-limit/limits.ts'
import { postgresCounters } from '../../src/store/postgres/cluster/rate-limit-counters.ts'
import { findFreePort } from '../../../../acceptance/support/servers/free-port.ts'
import { migratedDatabase, type TestDatabase } from '../support/postgres.ts'

const MINUTE = 60_000
/** The beginning of a one-minute and of a five-minute window. */
const START = Date.parse('2026-11-15T12:00:00Z')
const use: LimitRequest = {
  kind: 'requests',
  key: 'partner site',
  windows: [
    { limit: 100, ms: MINUTE },
    { limit: 400, ms: 5 * MINUTE },
  ],
}

describe('counters in PostgreSQL', () => {
  /** An instance with a clock that the test sets. */
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

  test('an instance whose clock is slightly behind keeps what others have counted', async (t) => {
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

  test('a clock that was far ahead does not block a key', async (t) => {
    const database = await migratedDatabase(t)
    const ahead = await instance(t, database)
    const one = await instance(t, database)
    await ahead(START + 60 * MINUTE)
    assert.deepEqual(await one(START), [
      [0, 0, 0],
      [0, 0, 0],
    ])
  })

  test('refunds of one key that arrive together are few statements', async (t) => {
    const database = await migratedDatabase(t)
    await instance(t, database)
    const counts = postgresCounters(database.url, { now: () => START })
    t.after(() => counts.close())
    for (let used = 0; used < 50; used += 1) await counts.consume(use)
    const sql = database.connect()
    await sql.unsafe(`
      CREATE SEQUENCE updates MINVALUE 0;
      CREATE FUNCTION count_update() RETURNS trigger LANGUAGE plpgsql
        AS $$BEGIN PERFORM nextval('updates'); RETURN NEW; END$$;
      CREATE TRIGGER counting BEFORE UPDATE ON rate_limit_counters FOR EACH ROW EXECUTE FUNCTION count_update()`)
    await Promise.all(Array.from({ length: 50 }, () => counts.refund(use)))
    const [row] = await sql<{ updates: number }[]>`SELECT nextval('updates')::int AS updates`
    assert.equal(row?.updates, 2)
    const { windows } = await counts.consume({ ...use, cost: 0 })
    assert.deepEqual(
      windows.map(({ buckets }) => buckets.current),
      [0, 0],
    )
  })

  test('counters that no window covers are deleted', async (t) => {
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

  test('an unreachable PostgreSQL fails fast', async (t) => {
    const url = `postgres://portico@127.0.0.1:${await findFreePort()}/portico`
    const counts = postgresCounters(url, { now: () => START })
    t.after(() => counts.close())
    await assert.rejects(counts.consume(use))
  })
})
