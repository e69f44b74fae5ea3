import type { ImportCountStore } from '../../../domain/telemetry/ingest/import-counts.ts'
import type { Database } from '../pool/connect.ts'

export const postgresImportCounts = (db: Database): ImportCountStore => ({
  add: (counts) =>
    db.write(async (sql) => {
      // In a fixed order, so that concurrent updates cannot deadlock.
      for (const [result, readings = 0] of Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        await sql`
          INSERT INTO import_counts AS known (result, readings) VALUES (${result}, ${readings})
          ON CONFLICT (result) DO UPDATE SET readings = known.readings + excluded.readings`
    }),
  async take() {
    const some = await db.read((sql) => sql`SELECT 1 FROM import_counts LIMIT 1`)
    if (some.length === 0) return {}
    const rows = await db.write(
      async (sql) =>
        await sql<{ result: string; readings: number }[]>`
        DELETE FROM import_counts WHERE result = ANY(ARRAY(
          SELECT result FROM import_counts ORDER BY result FOR UPDATE)) RETURNING result, readings`,
    )
    return Object.fromEntries(rows.map(({ result, readings }) => [result, readings]))
  },
})
