import { createHash } from 'node:crypto'
import { DAY_MS } from '../../domain/telemetry/reading/packed-day.ts'
import { parsePosition, serializePosition, type TransferStore } from '../transfer.ts'
import { type Database, type Sql, canBeStored } from './pool/connect.ts'
import { loadInstallationKey } from './installation.ts'
import type { Partitions } from './readings/partitions.ts'
import type { LoadSeriesIndex } from './rollups/series-index.ts'
import { readRows } from './transfer-read.ts'
import { writeRows } from './transfer-write.ts'

/** For one batch, or for ANALYZE of all tables. */
const WITHIN_MS = 3_600_000

export const postgresTransfer = (
  db: Database,
  partitions: Partitions,
  indexes: LoadSeriesIndex,
): TransferStore => ({
  identity: async () =>
    createHash('sha256')
      .update(await loadInstallationKey(db))
      .digest('hex'),
  prepareReading: async () => {},
  read: (table, scope, after, limit) =>
    db.read((sql) => readRows(sql, table, { scope, after, limit }, indexes)),
  canStoreText: canBeStored,
  unfinished: () =>
    db.read(async (sql) => {
      const [row] = await sql<{ source: string; position: string | null }[]>`
        SELECT source, position FROM unfinished_copy`
      return (
        row && {
          source: row.source,
          position: row.position === null ? undefined : parsePosition(row.position),
        }
      )
    }),
  begin: (source) =>
    db.write(async (sql) => {
      const inUse = await sql`
        (SELECT 1 FROM sites LIMIT 1) UNION ALL (SELECT 1 FROM partners LIMIT 1)
        UNION ALL (SELECT 1 FROM signing_keys LIMIT 1) UNION ALL (SELECT 1 FROM audit LIMIT 1)
        UNION ALL (SELECT 1 FROM v1_lifecycle LIMIT 1) UNION ALL (SELECT 1 FROM images LIMIT 1)
        UNION ALL (SELECT 1 FROM unfinished_copy)`
      if (inUse.length > 0) return false
      await sql`INSERT INTO unfinished_copy (id, source) VALUES (1, ${source})`
      return true
    }),
  async write(table, rows, position) {
    if (table.name === 'readings') await partitions.prepare(rows.map(([, , day]) => Number(day) * DAY_MS))
    await db.write(
      async (sql) => {
        await sql`SET LOCAL statement_timeout TO 0`
        await writeRows(sql, table, rows)
        await sql`UPDATE unfinished_copy SET position = ${serializePosition(position)}`
      },
      { withinMs: WITHIN_MS },
    )
  },
  rebuildSequences: () =>
    db.write(
      async (sql) => {
        await sql`SET LOCAL statement_timeout TO 0`
        await goOnNumbering(sql)
        await sql`ANALYZE`
      },
      { withinMs: WITHIN_MS },
    ),
  complete: () => db.write(async (sql) => void (await sql`DELETE FROM unfinished_copy`)),
})

async function goOnNumbering(sql: Sql): Promise<void> {
  const highest = (column: string, table: string) => sql<{ last: number | null }[]>`
    SELECT max(${sql(column)}) AS last FROM ${sql(table)} /* every site */`
  const [[series], [entry], [message]] = await Promise.all([
    highest('series_id', 'series'),
    highest('id', 'audit'),
    highest('id', 'rejected_messages'),
  ])
  const goOn = async (sequence: string, last: number | null | undefined): Promise<void> => {
    if (last != null) await sql`SELECT setval(${sequence}::regclass, ${last}::bigint)`
  }
  await goOn('series_ids', series?.last)
  await goOn('audit_id_seq', entry?.last)
  await goOn('rejected_messages_id_seq', message?.last)
}
