import { extname } from 'node:path'
import type { Config } from '../../config/config.ts'
import { FetchedBody, FetchedStream } from '../../http/pipeline/body/fetched-body.ts'
import type { ComputeThread } from '../../http/v2/aggregate/compute-thread.ts'
import { createCalledThread } from '../../kernel/called-thread.ts'
import type { ComputeApi, ComputeData } from './compute-api.ts'
import type { ThreadHost } from './thread-store.ts'

// A clone runs the .ts files, an installed package the .js files.
const PROGRAM = new URL(`./compute-thread${extname(import.meta.url)}`, import.meta.url)

/** A page of 100,000 points or an export takes a tenth of this. */
const MAX_HEAP_MB = 256
const YOUNG_GENERATION_MB = 6

/** Bytes of an export that wait for the connection, besides those of the connection itself. */
const EXPORT_BYTES_AHEAD = 256 * 1024

/** Computes large pages and exports in a thread that is started on demand. */
export function createComputeThread(
  config: Config,
  host: ThreadHost,
  onFailure: (error: Error) => void,
  responses: Int32Array<SharedArrayBuffer>,
): ComputeThread & { close(): Promise<void> } {
  const thread = createCalledThread<ComputeApi>({
    name: 'compute',
    program: PROGRAM,
    data: { config, responses } satisfies ComputeData,
    ours: host,
    maxHeapMb: MAX_HEAP_MB,
    maxYoungGenerationMb: YOUNG_GENERATION_MB,
    onFailure,
  })
  let lastId = 0

  /** A job of the thread. `drop` ends it and may be called more than once. */
  const openJob = () => {
    const id = ++lastId
    const { call, close } = thread.open()
    let isDropped = false
    return {
      id,
      call,
      isDropped: () => isDropped,
      next: () => call('readBody', id),
      drop() {
        if (isDropped) return
        isDropped = true
        call('drop', id).catch(() => {})
        close()
      },
    }
  }

  return {
    async computeBatch(job, response, bytes) {
      const { id, call, isDropped, next, drop } = openJob()
      response.once('close', drop)
      try {
        const digest = await call('computeBatch', id, job)
        return isDropped() ? undefined : new FetchedBody({ next, close: drop }, { digest, bytes })
      } catch (error) {
        if (isDropped()) return undefined
        drop()
        throw error
      }
    },
    runExport(job) {
      const { id, call, next, drop } = openJob()
      const opened = call('openExport', id, job)
      // Awaited with the first piece; until then, a rejection must not count as unhandled.
      opened.catch(() => {})
      const nextPiece = async (): Promise<Uint8Array | null> => {
        await opened
        return next()
      }
      return new FetchedStream({ next: nextPiece, close: drop }, EXPORT_BYTES_AHEAD)
    },
    close: () => thread.close(),
  }
}
