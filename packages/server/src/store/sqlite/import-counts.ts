import type { DatabaseSync } from 'node:sqlite'
import type { ImportCountStore } from '../../domain/telemetry/ingest/import-counts.ts'
import { prepareOnce } from './connect.ts'
import { translateErrors } from './failure.ts'
import type { BoundWrites } from './writer.ts'

export const sqliteImportCounts = (
  reader: () => DatabaseSync,
  writes: BoundWrites<'importCounts'>,
): ImportCountStore => ({
  add: (counts) => writes.add(counts),
  // There is rarely anything to remove, and a write costs a disk sync.
  take: async () =>
    translateErrors(() => prepareOnce(reader(), 'SELECT 1 FROM import_counts LIMIT 1').get()) === undefined
      ? {}
      : writes.take(),
})
