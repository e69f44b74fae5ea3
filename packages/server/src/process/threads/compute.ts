import { extname } from 'node:path'
import type { Config } from '../../config/config.ts'
import { FetchedBody } from '../../http/pipeline/body/fetched-body.ts'
import type { ComputeThread } from '../../http/v2/aggregate/compute-thread.ts'
import { createCalledThread } from '../../kernel/called-thread.ts'
import type { ComputeApi } from './compute-api.ts'
import type { ThreadHost } from './thread-store.ts'

// A clone runs the .ts files, an installed package the .js files.
const PROGRAM = new URL(`./compute-thread${extname(import.meta.url)}`, import.meta.url)

/** A page of 100,000 points takes a tenth of this. */
const MAX_HEAP_MB = 256
const YOUNG_GENERATION_MB = 6

/** Computes large pages in a thread that is started on demand. */
export function createComputeThread(
  config: Config,
  host: ThreadHost,
  onFailure: (error: Error) => void,
): ComputeThread & { close(): Promise<void> } {
  const thread = createCalledThread<ComputeApi>({
    name: 'compute',
    program: PROGRAM,
    data: config,
    ours: host,
    maxHeapMb: MAX_HEAP_MB,
    maxYoungGenerationMb: YOUNG_GENERATION_MB,
    onFailure,
  })
  let lastId = 0
  return {
    async computeBatch(job, response, bytes) {
      const id = ++lastId
      const { call, close } = thread.open()
      const dropped = new AbortController()
      const drop = (): void => {
        if (dropped.signal.aborted) return
        dropped.abort()
        call('drop', id).catch(() => {})
        close()
      }
      response.once('close', drop)
      try {
        const digest = await call('computeBatch', id, job)
        return dropped.signal.aborted
          ? undefined
          : new FetchedBody({ digest, bytes }, () => call('readBody', id), drop)
      } catch (error) {
        if (dropped.signal.aborted) return undefined
        drop()
        throw error
      }
    },
    close: () => thread.close(),
  }
}
