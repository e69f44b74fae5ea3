import { setImmediate as nextTurn } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { Config } from '../../config/config.ts'
import { createSiteDirectory } from '../../domain/estate/inventory/site-directory.ts'
import { FORMATS } from '../../domain/telemetry/ingest/formats.ts'
import { createStoredCounter } from '../../domain/telemetry/ingest/import-counts.ts'
import { createReadingImport, type ImportReport } from '../../domain/telemetry/ingest/reading-import.ts'
import { freeMemory } from '../../kernel/array-memory.ts'
import { overPort } from '../../kernel/called-thread.ts'
import { systemClock } from '../../kernel/clock.ts'
import { createIpc } from '../../kernel/ipc.ts'
import { createPushedChunks, type PushedChunks } from '../../kernel/pushed-chunks.ts'
import { lowerThreadPriority } from '../../kernel/thread-priority.ts'
import { createReadingsIntake } from '../../mqtt/handlers/readings-intake.ts'
import type { IngestApi, IngestHost, RejectedMessages } from './ingest-api.ts'
import { unpackMessages } from './pack-messages.ts'
import { openStoreInThread } from './thread-store.ts'

/** Program of the ingest thread: it parses, validates and packs the readings that the server receives. */
if (!parentPort) throw new Error('ingest-thread runs as a worker only')
const config = workerData as Config
lowerThreadPriority()

interface Import {
  body: PushedChunks
  report: Promise<ImportReport>
}

const imports = new Map<number, Import>()

function requireImport(id: number): Import {
  const found = imports.get(id)
  if (!found) throw new Error(`There is no import ${id}.`)
  return found
}

const api: IngestApi = {
  async begin(id, type) {
    // Makes reads see what was committed before the call: the store checks for commits once per tick.
    await nextTurn()
    const body = createPushedChunks()
    const report = importReadings(type, body.chunks)
    // Awaited by the next call; until then a rejection must not count as unhandled.
    report.catch(() => {})
    imports.set(id, { body, report })
  },
  async add(id, bytes) {
    const { body, report } = requireImport(id)
    const wantsMore = await body.push(bytes)
    freeMemory(bytes)
    await counter.flush()
    if (!wantsMore) await report
  },
  async finish(id) {
    const { body, report } = requireImport(id)
    try {
      body.end()
      return await report
    } finally {
      imports.delete(id)
      await counter.flush()
    }
  },
  drop(id) {
    const dropped = imports.get(id)
    imports.delete(id)
    dropped?.body.end(new Error('The body is incomplete.'))
  },
  async addMessages(heads, payloads) {
    await nextTurn()
    const results = await Promise.all(unpackMessages(heads, payloads).map((message) => takeMessage(message)))
    await messageCounter.flush()
    return results.flatMap(
      (result, position): RejectedMessages => (result.rejection ? [[position, result]] : []),
    )
  },
  stopRetrying: () => stopping.abort(),
  async close() {
    await store.close()
  },
}

async function importReadings(type: string, body: AsyncIterable<Uint8Array>): Promise<ImportReport> {
  const intake = createReadingImport({
    inventory: store.inventory,
    siteDirectory,
    readings: store.readings,
    clock: systemClock,
    rawRetentionMs: config.rawRetentionMs,
    counter,
  })
  await FORMATS[type]?.(body, intake)
  return intake.finish()
}

const store = await openStoreInThread(config, () => host)
const siteDirectory = createSiteDirectory(store.inventory)
const counter = createStoredCounter({ add: (counts) => host.call('count', 'http', counts) })
const messageCounter = createStoredCounter({ add: (counts) => host.call('count', 'mqtt', counts) })
const stopping = new AbortController()
const takeMessage = createReadingsIntake({
  inventory: store.inventory,
  siteDirectory,
  readings: store.readings,
  clock: systemClock,
  rawRetentionMs: config.rawRetentionMs,
  counter: messageCounter,
  log: { error: (fields, message) => void host.call('logError', fields, message) },
  signal: stopping.signal,
})
const host = createIpc<IngestHost>(overPort(parentPort), api)
