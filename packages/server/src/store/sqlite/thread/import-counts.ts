import type { DatabaseSync } from 'node:sqlite'
import type { ImportCounts } from '../../../domain/telemetry/ingest/import-counts.ts'
import { prepareArraysOnce, prepareOnce } from '../connect.ts'

export const importCountWrites = {
  add(db: DatabaseSync, counts: ImportCounts): void {
    for (const [result, readings = 0] of Object.entries(counts))
      prepareOnce(
        db,
        `INSERT INTO import_counts (result, readings) VALUES (?, ?)
         ON CONFLICT (result) DO UPDATE SET readings = readings + excluded.readings`,
      ).run(result, readings)
  },
  take(db: DatabaseSync): ImportCounts {
    const rows = prepareArraysOnce<[result: string, readings: number]>(
      db,
      'DELETE FROM import_counts RETURNING result, readings',
    ).all()
    return Object.fromEntries(rows)
  },
}
