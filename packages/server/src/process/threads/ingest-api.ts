import type { ImportCounts } from '../../domain/telemetry/ingest/import-counts.ts'
import type { ImportReport } from '../../domain/telemetry/ingest/reading-import.ts'
import type { ThreadApi } from '../../kernel/called-thread.ts'
import type { ThreadHost } from './thread-store.ts'

/** Calls that the ingest thread accepts. */
export interface IngestApi extends ThreadApi {
  /** Begins an import of a media type. */
  begin(id: number, type: string): Promise<void>
  /** Resolves when the bytes have been parsed and more can be accepted; rejects if the import has failed. */
  add(id: number, bytes: Uint8Array): Promise<void>
  /** Resolves when all valid readings are durable. */
  finish(id: number): Promise<ImportReport>
  /** Ends an import that was not sent completely. What has been stored remains. */
  drop(id: number): void
}

/** Calls that the ingest thread makes. */
export interface IngestHost extends ThreadHost {
  /** Counts readings that arrived over HTTP. */
  count(counts: ImportCounts): void
}
