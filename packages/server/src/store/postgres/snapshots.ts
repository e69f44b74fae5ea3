import type { Snapshots } from '../../domain/telemetry/export/store.ts'
import type { Database } from './pool/connect.ts'
import { createReadingReader, type RunQuery } from './readings/read-readings.ts'
import { type OnDamage, postgresRollups } from './rollups/rollups.ts'

/** All statements of a `REPEATABLE READ` transaction see the state at the first one. */
export const openPostgresSnapshots = (db: Database, onDamage: OnDamage): Snapshots => ({
  run: (work) =>
    db.write(async (sql) => {
      await sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY /* every site */`
      const ask: RunQuery = (run) => run(sql)
      return work({ rollups: postgresRollups(ask, onDamage), readings: createReadingReader(ask) })
    }),
  async [Symbol.asyncDispose]() {},
})
