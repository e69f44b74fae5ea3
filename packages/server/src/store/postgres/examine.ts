import type { Database } from './connect.ts'

/** What PostgreSQL itself knows to be wrong with the data: broken pages, indexes and constraints that cannot be relied on. */
export const examine = (db: Database): Promise<string[]> =>
  db.read(async (sql) => {
    const rows = await sql<{ fault: string }[]>`
      SELECT checksum_failures || ' pages of the database failed their checksum' AS fault
      FROM pg_stat_database WHERE datname = current_database() AND checksum_failures > 0
      UNION ALL
      SELECT 'index ' || indexrelid::regclass || ' is invalid'
      FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
      WHERE NOT indisvalid AND relnamespace = current_schema()::regnamespace
      UNION ALL
      SELECT 'constraint ' || conname || ' is not valid'
      FROM pg_constraint WHERE NOT convalidated AND connamespace = current_schema()::regnamespace`
    return rows.map(({ fault }) => fault)
  })
