import { setImmediate as nextTurn } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { createSiteDirectory } from '../../domain/estate/inventory/site-directory.ts'
import type { SiteModel } from '../../domain/estate/inventory/site-model.ts'
import { encodeExport, prepareExport } from '../../http/export/encode-export.ts'
import { computeBatch, listSeries } from '../../http/v2/aggregate/compute-batch.ts'
import { createSeriesEncoder } from '../../http/v2/series-encoding/encode-series.ts'
import { createBackgroundPace } from '../../kernel/background-pace.ts'
import { overPort } from '../../kernel/called-thread.ts'
import { systemClock as clock } from '../../kernel/clock.ts'
import { notFound } from '../../kernel/errors.ts'
import { createIpc } from '../../kernel/ipc.ts'
import { lowerThreadPriority } from '../../kernel/thread-priority.ts'
import { createAggregate } from '../aggregate.ts'
import { createProviders } from '../providers.ts'
import type { ComputeApi, ComputeData } from './compute-api.ts'
import { openStoreInThread, type ThreadHost } from './thread-store.ts'

/**
 * Program of the compute thread: it runs the same code as the event loop that serves requests, with its own connection.
 */
if (!parentPort) throw new Error('compute-thread runs as a worker only')
const { config, responses } = workerData as ComputeData
lowerThreadPriority()

/** A large page is seldom read again, and its blocks take several times the memory of its text. */
const CACHE_SHARE = 0.05

/** Bytes of a page in one message. */
const CHUNK_BYTES = 64 * 1024

interface Job {
  stopping: AbortController
  body: AsyncIterator<Uint8Array, unknown, undefined> | Iterator<Uint8Array, unknown, undefined>
}

const jobs = new Map<number, Job>()

/** Runs the first part of a job, which is forgotten if it fails. */
async function begin<T>(
  id: number,
  siteUuid: string,
  work: (model: SiteModel, job: Job) => Promise<T>,
): Promise<T> {
  const job: Job = { stopping: new AbortController(), body: [][Symbol.iterator]() }
  jobs.set(id, job)
  try {
    // Makes reads see what was committed before the call: the store checks for commits once per tick.
    await nextTurn()
    const model = await siteDirectory.find(siteUuid)
    if (!model) throw notFound('site')
    return await work(model, job)
  } catch (error) {
    jobs.delete(id)
    throw error
  }
}

const api: ComputeApi = {
  computeBatch: (id, batch) =>
    begin(id, batch.siteUuid, async (model, job) => {
      const { digest, pieces } = await computeBatch(
        services,
        model,
        batch,
        listSeries(services, model, batch),
        {
          isWrittenEarly: true,
          signal: job.stopping.signal,
        },
      )
      job.body = toChunks(pieces())
      return digest
    }),
  openExport: (id, request) =>
    begin(id, request.siteUuid, async (model, job) => {
      const prepared = prepareExport({ clock, aggregate }, model, request)
      job.body = encodeExport(prepared, () => store.openSnapshots(), createBackgroundPace(responses))
    }),
  async readBody(id) {
    const job = jobs.get(id)
    if (!job) throw new Error('The body is no longer available.')
    const { value, done } = await job.body.next()
    return done ? null : value
  },
  drop(id) {
    const job = jobs.get(id)
    jobs.delete(id)
    job?.stopping.abort()
    // The client no longer reads the body, so an error has no effect.
    Promise.resolve(job?.body.return?.()).catch(() => {})
  },
  async close() {
    await store.close()
  },
}

/** The text of a page is ASCII. */
function* toChunks(pieces: Iterable<string>): Generator<Uint8Array> {
  let text = ''
  for (const piece of pieces) {
    text += piece
    if (text.length < CHUNK_BYTES) continue
    yield toBytes(text)
    text = ''
  }
  if (text !== '') yield toBytes(text)
}

function toBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  Buffer.from(bytes.buffer).write(text, 'latin1')
  return bytes
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
  seriesEncoder: createSeriesEncoder({ aggregate, readings, rollups, clock, cacheShare: CACHE_SHARE }),
}
const host = createIpc<ThreadHost>(overPort(parentPort), api)
