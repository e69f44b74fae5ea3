import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BACKENDS } from '../support/backends.ts'

test('SQLite reads rollups without a promise', async (t) => {
  const sqlite = BACKENDS.find(({ name }) => name === 'sqlite')
  assert.ok(sqlite)
  const { rollups } = await sqlite.open(t)
  for (const read of [rollups.days, rollups.months, rollups.quarters])
    assert.deepEqual(read('site', 1, 0, 30_000), [])
})
