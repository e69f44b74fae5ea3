import type { ImportCounts } from '../../domain/telemetry/ingest/import-counts.ts'
import type { ImportReport } from '../../domain/telemetry/ingest/reading-import.ts'
import type { ReadingsResult } from '../../mqtt/handlers/readings-intake.ts'
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
  /** Ends an incomplete import. Readings that are already stored remain. */
  drop(id: number): void
  /** Stores messages with readings; resolves with those that are rejected, when all valid readings are durable. */
  addMessages(heads: MessageHeads, payloads: Uint8Array): Promise<RejectedMessages>
  /** Messages that wait for an unavailable store fail from now on. */
  stopRetrying(): void
}

/** Messages by column, which takes a fraction of the time to pass on. Their payloads follow each other in one array. */
export interface MessageHeads {
  siteUuids: string[]
  senderUuids: string[]
  payloadBytes: number[]
  areDuplicates: boolean[]
  areRetainedCopies: boolean[]
}

/** Results by the position of their message. */
export type RejectedMessages = [position: number, result: ReadingsResult][]

/** Calls that the ingest thread makes. */
export interface IngestHost extends ThreadHost {
  /** Counts readings that arrived over HTTP or MQTT. */
  count(source: 'http' | 'mqtt', counts: ImportCounts): void
  /** Logs that messages could not be stored. */
  logError(fields: object, message: string): void
}
