import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addCommand, newDeviceRef } from '../support/commands.ts'
import { CITUS, citusDatabase } from '../support/postgres.ts'

const MAX_ATTEMPTS = 3

if (CITUS.isNamed)
  describe('on the nodes of a Citus', () => {
    test('a command and its audit entry are committed in two phases', async (t) => {
      const database = await citusDatabase(t)
      const sql = database.connect()
      // Citus keeps a record of a two-phase commit until recovery, which runs at its start, every minute and on
      // request.
      let rows = 0
      for (let attempt = 0; attempt < MAX_ATTEMPTS && rows === 0; attempt += 1) {
        await sql`SELECT recover_prepared_transactions()`
        await addCommand(database.open(), newDeviceRef())
        rows = (await sql`SELECT 1 FROM pg_dist_transaction`).length
      }
      assert.equal(rows, 1)
    })
  })
