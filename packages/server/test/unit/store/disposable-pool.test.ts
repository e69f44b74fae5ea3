import assert from 'node:assert/strict'
import { test } from 'node:test'
import type postgres from 'postgres'
import { openDisposablePool } from '../../../src/store/postgres/pool/disposable-pool.ts'

test('the URL of a database may set how long a connection may take', async () => {
  const readSeconds = async (query: string): Promise<number> => {
    const pool = openDisposablePool(`postgres://portico@127.0.0.1:1/none${query}`, 1)
    const { options } = pool.sql as unknown as postgres.Sql
    await pool.end(0)
    return options.connect_timeout
  }
  assert.equal(await readSeconds(''), 5)
  assert.equal(await readSeconds('?connect_timeout=60'), 60)
})
