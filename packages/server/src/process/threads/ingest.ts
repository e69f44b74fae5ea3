import { extname } from 'node:path'
import type { Config } from '../../config/config.ts'
import type { ImportReadings } from '../../domain/telemetry/ingest/reading-import.ts'
import { createCalledThread } from '../../kernel/called-thread.ts'
import type { IngestApi, IngestHost } from './ingest-api.ts'

// A clone runs the .ts files, an installed package the .js files.
const PROGRAM = new URL(`./ingest-thread${extname(import.meta.url)}`, import.meta.url)

/** A batch and the models of its sites take a tenth of this. */
const MAX_HEAP_MB = 256
const YOUNG_GENERATION_MB = 6

/** Imports readings in a thread, which the first import starts. */
export interface IngestThread {
  importReadings: ImportReadings
  close(): Promise<void>
}

export function createIngestThread(
  config: Config,
  host: IngestHost,
  onFailure: (error: Error) => void,
): IngestThread {
  const thread = createCalledThread<IngestApi>({
    name: 'ingest',
    program: PROGRAM,
    data: config,
    ours: host,
    maxHeapMb: MAX_HEAP_MB,
    maxYoungGenerationMb: YOUNG_GENERATION_MB,
    onFailure,
  })
  let lastId = 0
  return {
    async importReadings(type, body) {
      const id = ++lastId
      const { call, close } = thread.open()
      try {
        await call('begin', id, type)
        // The sender waits while a chunk is parsed, or a batch is stored.
        for await (const chunk of body) await call('add', id, new Uint8Array(chunk))
        return await call('finish', id)
      } catch (error) {
        call('drop', id).catch(() => {})
        throw error
      } finally {
        close()
      }
    },
    close: () => thread.close(),
  }
}
