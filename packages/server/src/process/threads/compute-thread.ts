import { setImmediate as nextTurn } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { Config } from '../../config/config.ts'
import { createSiteDirectory } from '../../domain/estate/inventory/site-directory.ts'
import { computeBatch } from '../../http/v2/aggregate/compute-batch.ts'
import { createSeriesEncoder } from '../../http/v2/series-encoding/encode-series.ts'
import { overPort } from '../../kernel/called-thread.ts'
import { systemClock as clock } from '../../kernel/clock.ts'
import { notFound } from '../../kernel/errors.ts'
import { createIpc } from '../../kernel/ipc.ts'
import { lowerThreadPriority } from '../../kernel/thread-priority.ts'
import { createAggregate } from '../aggregate.ts'
import { createProviders } from '../providers.ts'
import type { ComputeApi } from './compute-api.ts'
import { openStoreInThread, type ThreadHost } from './thread-store.ts'

/**
 * Program of the compute thread: it runs the same code as the event loop that serves requests, with its own connection.
 */
if (!parentPort) throw new Error('compute-thread runs as a worker only')
const config = workerData as Config
lowerThreadPriority()

/** Bytes of a body in one message. */
const CHUNK_BYTES = 64 * 1024

interface Job {
  stopping: AbortController
  pieces: Iterator<string>
}

const jobs = new Map<number, Job>()

const api: ComputeApi = {
  async computeBatch(id, job) {
    const stopping = new AbortController()
    const started: Job = { stopping, pieces: [][Symbol.iterator]() }
    jobs.set(id, started)
    try {
      // Makes reads see what was committed before the call: the store checks for commits once per tick.
      await nextTurn()
      const model = await siteDirectory.find(job.siteUuid)
      if (!model) throw notFound('site')
      const { digest, pieces } = await computeBatch(services, model, job, stopping.signal)
      started.pieces = pieces()[Symbol.iterator]()
      return digest
    } catch (error) {
      jobs.delete(id)
      throw error
    }
  },
  readBody(id) {
    const pieces = jobs.get(id)?.pieces
    if (!pieces) return null
    let text = ''
    while (text.length < CHUNK_BYTES) {
      const { value, done } = pieces.next()
      if (done) break
      text += value
    }
    if (text === '') return null
    const bytes = new Uint8Array(text.length)
    Buffer.from(bytes.buffer).write(text, 'latin1')
    return bytes
  },
  drop(id) {
    jobs.get(id)?.stopping.abort()
    jobs.delete(id)
  },
  async close() {
    await store.close()
  },
}

const store = await openStoreInThread(config, () => host)
const siteDirectory = createSiteDirectory(store.inventory)
const { carbon } = createProviders(
  config,
  clock,
  (error) => void host.call('reportExternalFailure', error.message),
)
const { readings, rollups } = store
const aggregate = createAggregate(config, store, clock, carbon)
const services = {
  clock,
  seriesReads: store,
  seriesEncoder: createSeriesEncoder({ aggregate, readings, rollups, clock }),
}
const host = createIpc<ThreadHost>(overPort(parentPort), api)
