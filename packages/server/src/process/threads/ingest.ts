import { extname } from 'node:path'
import type { Config } from '../../config/config.ts'
import type { ImportReadings } from '../../domain/telemetry/ingest/reading-import.ts'
import { ownsMemory } from '../../kernel/array-memory.ts'
import { createCalledThread } from '../../kernel/called-thread.ts'
import type { MessageIngest } from '../../mqtt/handlers/forward-readings.ts'
import type { IngestApi, IngestHost } from './ingest-api.ts'
import { packHeads, packPayloads } from './pack-messages.ts'

// A clone runs the .ts files, an installed package the .js files.
const PROGRAM = new URL(`./ingest-thread${extname(import.meta.url)}`, import.meta.url)

/** A batch and the models of its sites take a tenth of this. */
const MAX_HEAP_MB = 256
const YOUNG_GENERATION_MB = 6

/**
 * The chunk as an array that is moved to another thread: copied only if it shares its memory. Chunks of bodies do not,
 * and would stay in memory until the next garbage collection.
 */
const toMovable = (chunk: Uint8Array): Uint8Array =>
  ownsMemory(chunk) ? new Uint8Array(chunk.buffer) : new Uint8Array(chunk)

/** Imports readings, and stores those of messages, in a thread that is started on demand. */
export interface IngestThread {
  importReadings: ImportReadings
  messages: MessageIngest
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
  let callsOfMessages = 0
  return {
    async importReadings(type, body) {
      const id = ++lastId
      const { call, close } = thread.open()
      try {
        await call('begin', id, type)
        // The sender waits while a chunk is parsed, or a batch is stored.
        for await (const chunk of body) await call('add', id, toMovable(chunk))
        return await call('finish', id)
      } catch (error) {
        call('drop', id).catch(() => {})
        throw error
      } finally {
        close()
      }
    },
    messages: {
      async store(messages) {
        const { call, close } = thread.open()
        callsOfMessages += 1
        try {
          const rejected = await call('addMessages', packHeads(messages), packPayloads(messages))
          const results = new Map(rejected)
          return messages.map((_, position) => results.get(position) ?? {})
        } finally {
          callsOfMessages -= 1
          close()
        }
      },
      stopRetrying() {
        // Otherwise, the thread would be started to do nothing.
        if (callsOfMessages === 0) return
        const { call, close } = thread.open()
        call('stopRetrying').then(close, close)
      },
    },
    close: () => thread.close(),
  }
}
